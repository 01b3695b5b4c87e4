/** A tensor of the trace as tables: one row per position, one table per head. */

import { probabilityColour, valueColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";

/**
 * @param {object} stage of `stagesOf` in map/stages.js
 * @param {Array} values the tensor without its batch axis
 * @param {object} shown `words` of the window, `vocabulary`, `scale` (the value shown in full colour),
 *   `changed` (same shape, true where a cell is marked; optional), `t`
 * @returns {HTMLElement[]} one table per head, or a single one
 */
export function tensorTables(stage, values, shown) {
  const { t } = shown;
  if (stage.axes[0] !== "H") return [table(stage, values, shown.changed, shown, null)];
  return values.map((rows, head) =>
    table(stage, rows, shown.changed?.[head], shown, t("map.head", { number: head + 1 })),
  );
}

function table(stage, rows, changed, shown, caption) {
  const { words } = shown;
  return el(
    "table",
    { class: "mg-tensor" },
    el("caption", {}, caption ?? el("span", { class: "mg-hidden" }, stage.key)),
    el(
      "thead",
      {},
      el("tr", {}, el("td"), rows[0].map((_, at) => el("th", { scope: "col" }, columnHead(stage, at, shown)))),
    ),
    el(
      "tbody",
      {},
      rows.map((row, position) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, words[position]),
          row.map((value, at) => cell(stage, value, changed?.[position]?.[at], shown)),
        ),
      ),
    ),
  );
}

function columnHead(stage, at, { words, vocabulary }) {
  if (stage.kind === "matrix") return words[at];
  return stage.kind === "words" ? vocabulary[at] : String(at);
}

function cell(stage, value, isChanged, { scale, t }) {
  const colour = stage.isProbability ? probabilityColour(value) : valueColour(value, scale);
  return el(
    "td",
    { class: isChanged ? "mg-number mg-differs" : "mg-number", style: { "--cell": colour } },
    number(value),
    isChanged && el("span", { class: "mg-hidden" }, t("compare.cell_differs")),
  );
}
