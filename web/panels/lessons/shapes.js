/** The batch of both sentences: every shape on the way to the loss, and to the next word. */

import { el, replace } from "../../dom.js";
import { number } from "../../format.js";

const LOSS = ["token_ids", "logits", "flat_logits", "targets", "flat_targets", "loss"];
const GENERATION = ["last_logits", "next_id", "appended_ids"];

export function createShapes({ t }) {
  const title = el("h3", { class: "mg-working-subtitle" });
  const note = el("p", { class: "mg-note" });
  const tables = el("div");
  const element = el("section", { class: "mg-card mg-shapes" }, title, note, tables);

  function table(kind, names, batch) {
    const rows = names.map((name) =>
      el(
        "tr",
        { dataset: { name } },
        el("th", { scope: "row" }, t(`lessons.shape.${name}`)),
        el("td", { class: "mg-number" }, shapeText(batch[name].shape)),
        el("td", {}, valueText(batch[name])),
      ),
    );
    return el("table", {}, el("caption", {}, t(`lessons.shapes_${kind}`)), el("tbody", {}, rows));
  }

  return {
    element,
    /** @param {object} batch from ui/panels/lessons.py: name -> {shape, words or value} */
    update(batch) {
      const [rows, positions] = batch.token_ids.shape;
      title.textContent = t("lessons.shapes");
      note.textContent = t("lessons.shapes_note", { B: rows, T: positions, product: batch.flat_targets.shape[0] });
      replace(tables, table("loss", LOSS, batch), table("generation", GENERATION, batch));
    },
  };
}

export function shapeText(shape) {
  return `[${shape.join(", ")}]`;
}

function valueText({ words, value }) {
  if (words) return words.join(" · ");
  return value === undefined ? "" : number(value);
}
