/** Downloads: each file, the proof pack, and a link to the page that needs no server. */

import { answered, createOnce } from "../../asking.js";
import { el, replace } from "../../dom.js";
import { saveFile } from "../../download.js";

export function createFiles({ t, server, root }) {
  const heading = el("h3");
  const pack = el("button", { type: "button", class: "mg-button mg-primary", onclick: () => fetchPack() });
  const about = el("p", { class: "mg-note" });
  const page = el("a", { class: "mg-link", target: "_blank", rel: "noopener" });
  const list = el("ul", { class: "mg-files" });
  const element = el(
    "div",
    { class: "mg-runtimes-files" },
    heading,
    about,
    el("div", { class: "mg-runtimes-pack" }, pack, page),
    list,
  );

  /** One download at a time: a second click meanwhile does nothing. */
  const fetchOnce = createOnce(fetchFile);

  async function fetchPack() {
    await fetchOnce(() => server.proof_pack({}));
  }

  async function fetchFile(ask) {
    const file = await answered(ask());
    if (file) saveFile(file.name, file.content);
  }

  function item({ name, bytes }) {
    const kb = (bytes / 1024).toFixed(1);
    const get = () => fetchOnce(() => server.shipped_file({ name }));
    const button = el("button", { type: "button", class: "mg-link", onclick: get }, name);
    return el("li", {}, button, el("span", { class: "mg-note" }, `${kb} KB`));
  }

  return {
    element,
    update(told) {
      element.hidden = !told;
      if (!told) return;
      heading.textContent = t("runtimes.files");
      about.textContent = t("runtimes.pack_about");
      pack.textContent = t("runtimes.pack");
      page.hidden = !told.page;
      if (told.page) page.href = `${root}/${told.page}/`;
      page.textContent = t("runtimes.page");
      replace(list, told.files.map(item));
    },
  };
}
