/** Files of the current model: built and verified on request, then offered for download. */

import { el, replace } from "../../dom.js";
import { saveFile } from "../../download.js";
import { scientific } from "../../format.js";
import { createOnce, refusal } from "../../asking.js";

const AGAIN_MS = 1000;
const PENDING = ["waiting", "preparing"];
const ASKED = { state: "preparing" }; // optimistic: a second click finds the button disabled

export function createDownloads(container, app) {
  const { t, server, store } = app;
  const heading = el("h3");
  const prepare = el("button", { type: "button", class: "mg-button", onclick: begin });
  const status = el("p", { class: "mg-note", role: "status" });
  const list = el("ul", { class: "mg-files" });
  container.append(el("section", {}, heading, status, prepare, list));
  const downloadOnce = createOnce(download, (...file) => String(file));
  let answer = null; // the server's answer about `of`
  let of = null;

  function begin() {
    const state = store.get();
    of = state.model;
    answer = ASKED;
    update(state);
    ask(of);
  }

  async function ask(model) {
    try {
      const next = await server.own_files({ model });
      if (of !== model) return;
      answer = next;
      if (PENDING.includes(next.state)) setTimeout(() => of === model && ask(model), AGAIN_MS);
    } catch (error) {
      refusal(error);
      if (of !== model) return;
      answer = null;
      of = null;
    }
    update(store.get());
  }

  async function download(model, name) {
    try {
      const { content } = await server.own_file({ model, name });
      saveFile(name, content);
    } catch (error) {
      refusal(error);
    }
  }

  function update({ model }) {
    const isOwn = model.startsWith("own:");
    const present = isOwn && of === model ? answer : null;
    heading.textContent = t("training.files");
    prepare.textContent = t("training.prepare");
    prepare.disabled = !isOwn || PENDING.includes(present?.state);
    prepare.hidden = present?.state === "ready";
    status.textContent = statusText(isOwn, present, t);
    replace(list, (present?.files ?? []).map((file) => item(file, (name) => downloadOnce(model, name), t)));
  }

  return { update };
}

function statusText(isOwn, present, t) {
  if (!isOwn) return t("training.files_none");
  if (present === null) return t("training.files_some");
  if (present.trouble) return present.trouble.text;
  if (present.state !== "ready") return t(`training.files_${present.state}`, present);
  const { max_abs: largest, ...said } = present.proof;
  const key = said.drawn ? "training.files_ready_drawn" : "training.files_ready";
  return t(key, { ...said, largest: scientific(largest) });
}

function item({ name, bytes }, download, t) {
  const button = el("button", { type: "button", class: "mg-button", onclick: () => download(name) }, name);
  const about = t(`training.file.${name}`, { kb: (bytes / 1024).toFixed(1) });
  return el("li", {}, button, el("span", { class: "mg-note" }, about));
}
