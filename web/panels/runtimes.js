/** ONNX and runtimes: what every engine made of the shipped files, and the files themselves. */

import { answered, createOnce } from "../asking.js";
import { el } from "../dom.js";
import { createFiles } from "./runtimes/files.js";
import { createEngineTable } from "./runtimes/table.js";

export function mount(container, app) {
  const { t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const table = createEngineTable(app);
  const files = createFiles(app);
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, table.element, files.element);
  let told = null;

  const ask = createOnce(async () => {
    told = await answered(server.runtimes({})); // if refused, opening the tab again asks again
    if (told) update();
  });

  function update() {
    heading.textContent = t("runtimes.heading");
    lead.textContent = told ? t("runtimes.lead", { count: told.engines.length, independent: told.independent }) : "";
    table.update(told);
    files.update(told);
  }

  return {
    update,
    show() {
      if (!told) ask();
    },
  };
}
