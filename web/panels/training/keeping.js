/** Keep a model: download its files, load a file, and the models stored in this browser. */

import { createDownloads } from "./downloads.js";
import { createKeptList } from "./kept_list.js";
import { createUpload } from "./upload.js";
import { el } from "../../dom.js";

export function createKeeping(container, app) {
  const { t } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const columns = el("div", { class: "mg-keeping" });
  container.append(
    el("section", { class: "mg-keeping-area" }, el("div", { class: "mg-panel-head" }, heading), lead, columns),
  );
  const parts = [createDownloads(columns, app), createUpload(columns, app), createKeptList(columns, app)];
  return {
    update(state, view) {
      heading.textContent = t("training.keep");
      lead.textContent = t("training.keep_lead");
      for (const part of parts) part.update(state, view);
    },
  };
}
