/** Weights and their gradients side by side, one parameter at a time. */

import { cellButton } from "./positions.js";
import { valueColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { number } from "../../format.js";

const WORKED = ["lm_head.weight", "lm_head.bias"]; // the working is one step of the chain rule

export function createWeightGradients(container, { t }, { open, choose }) {
  const heading = el("h3");
  const label = el("span", { class: "mg-field-label" });
  const select = el("select", { class: "mg-input mg-select", onchange: () => choose(select.value) });
  const note = el("p", { class: "mg-note" });
  const tables = el("div", { class: "mg-gradient-tables" });
  container.append(el("div", { class: "mg-panel-head" }, heading, el("label", { class: "mg-field" }, label, select)), note, tables);
  return {
    /** @param {number[]} places the words that have a row, where rows are words */
    update(answer, places) {
      const { parameter, parameters, weight, gradient } = answer;
      heading.textContent = t("gradients.weights");
      label.textContent = t("gradients.parameter");
      note.textContent = t("gradients.weights_note");
      replace(select, parameters.map((name) => el("option", { value: name }, name)));
      select.value = parameter;
      const worked = WORKED.includes(parameter) && ((cell) => open(`gradients.${parameter}`, cell));
      replace(
        tables,
        matrix(t("gradients.weight_of", { parameter }), weight, rowsOf(answer, places), null, t),
        matrix(t("gradients.gradient_of", { parameter }), gradient, rowsOf(answer, places), worked, t),
      );
    },
  };
}

/** Which rows of a matrix are shown, and their labels, where they are words. */
function rowsOf({ parameter, model }, places) {
  return ["token_embedding.weight", "lm_head.weight"].includes(parameter) ? { places, words: model.words } : null;
}

function matrix(caption, values, named, open, t) {
  const rows = Array.isArray(values[0]) ? values : [values];
  const isVector = rows !== values;
  const scale = Math.max(...rows.flat().map(Math.abs), 1e-9);
  return el(
    "div",
    { class: "mg-scroll" },
    el(
      "table",
      { class: "mg-gradient-table" },
      el("caption", {}, caption),
      el(
        "tbody",
        {},
        (named?.places ?? [...rows.keys()]).map((at) =>
          el(
            "tr",
            {},
            named && el("th", { scope: "row" }, named.words[at]),
            rows[at].map((value, place) => {
              const cell = isVector ? [place] : [at, place];
              const text = number(value);
              return el(
                "td",
                { class: "mg-number", style: { "--cell": valueColour(value, scale) } },
                open ? cellButton(text, t("gradients.show_weight", { cell: cell.join(", ") }), () => open(cell)) : text,
              );
            }),
          ),
        ),
      ),
    ),
  );
}
