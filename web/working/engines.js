/** PyTorch and ONNX Runtime compared at the current stage. */

import { el, replace, setText } from "../dom.js";
import { scientific } from "../format.js";
import { createEngineCell } from "./engine_cell.js";
import { titleOf } from "./lines.js";

/** @param {(key: string) => void} onGo called with the value the user wants to see */
export function createEngines(app, onGo) {
  const { store, differences, t } = app;
  const ofCell = createEngineCell(app);
  const title = el("h3", { class: "mg-working-subtitle" });
  const body = el("div");
  const element = el("section", { class: "mg-engines" }, title, body, ofCell.element);
  let shown = null;

  function draw() {
    if (!shown) return;
    setText(title, t("working.engines"));
    const found = differences.get();
    const state = found?.state ?? "waiting";
    const { book } = shown;
    const { stage: open, tokens } = store.get();
    const cell = open !== null && tokens.length ? shown.cell : null; // closed since, or of a sentence that is gone
    ofCell.update(state === "ready" && book.valueOf(cell?.key)?.traced ? cell : null);
    // The differences of another model, with more blocks, may still be shown for a moment.
    if (state === "ready" && book.valueOf(found.largest?.name)) replace(body, table(found), largest(found.largest));
    else replace(body, el("p", { class: "mg-note" }, t(`working.engines_${state === "ready" ? "waiting" : state}`)));
  }

  function table({ values }) {
    const { stage } = shown;
    const byName = new Map(values.map((value) => [value.name, value]));
    const compared = stage.values.filter((value) => byName.has(value.key));
    if (!compared.length) return el("p", { class: "mg-note" }, t("working.engines_none"));
    return el(
      "table",
      { class: "mg-plain-table" },
      el("caption", { class: "mg-hidden" }, t("working.engines")),
      el(
        "thead",
        {},
        el("tr", {}, ["value", "max_abs", "differing"].map((name) => el("th", { scope: "col" }, t(`working.engines.${name}`)))),
      ),
      el("tbody", {}, compared.map((value) => row(value, byName.get(value.key)))),
    );
  }

  function row(value, difference) {
    const cells = shown.book.shapeOf(value, shown.context.window.length).reduce((all, size) => all * size, 1);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, titleOf(value, shown.context), " ", codeOf(value)),
      el("td", {}, scientific(difference.max_abs)),
      el("td", {}, t("working.engines.of", { count: difference.differing, cells })),
    );
  }

  function codeOf(value) {
    return titleOf(value, shown.context) === value.name ? null : el("code", {}, value.name);
  }

  function largest({ name, max_abs: distance }) {
    const value = shown.book.valueOf(name);
    const [before, after] = t("working.engines.largest", { value: scientific(distance), name: "\n" }).split("\n");
    const link = el(
      "button",
      { type: "button", class: "mg-link", onclick: () => onGo(name) },
      [...new Set([titleOf(value, shown.context), name])].join(" "),
    );
    return el("p", { class: "mg-note" }, before, link, after);
  }

  differences.subscribe(draw);
  return {
    element,
    /** @param {{key, cell}|null} cell the chosen cell, unless it is hidden */
    update(book, stage, context, cell) {
      shown = { book, stage, context, cell };
      draw();
    },
  };
}
