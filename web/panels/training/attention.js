/** The attention of every block and head for one prompt, as small tables. */

import { probabilityColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";
import { roundingNoteOfRows } from "../../rounded_sum.js";

const DECIMALS = 2;

export function createAttention(container, { t }) {
  const note = el("p", { class: "mg-note" });
  const tables = el("div", { class: "mg-heads" });
  const rounding = el("p", { class: "mg-note mg-rounding", hidden: true });
  container.append(note, tables, rounding);
  let drawn = null;
  return {
    /** `view` of the prompt at the selected step; null while it is loading. */
    update(view) {
      note.textContent = t("training.attention");
      tables.classList.toggle("mg-awaited", !view); // the tables still show another step
      const now = view && [view, t("training.attention")];
      if (!view || (drawn && now.every((each, at) => each === drawn[at]))) return;
      drawn = now;
      tables.replaceChildren(...headTables(view, t));
      rounding.textContent = roundingNoteOfRows(rowsOf(view), t, DECIMALS);
      rounding.hidden = rounding.textContent === "";
    },
  };
}

/** Each word's attention to the words it can see. */
function rowsOf({ trace, model }) {
  return [...Array(model.config.num_layers).keys()].flatMap((block) =>
    trace[`blocks.${block}.attention_probs`].flatMap((head) => head.map((row, at) => row.slice(0, at + 1))),
  );
}

function headTables(view, t) {
  const seen = view.window.map((id) => view.model.words[id]);
  return [...Array(view.model.config.num_layers).keys()].flatMap((block) =>
    view.trace[`blocks.${block}.attention_probs`].map((probabilities, head) =>
      headTable(probabilities, seen, t("training.head", { block: block + 1, head: head + 1 })),
    ),
  );
}

/** Rows are the words that look, columns the words looked at. */
function headTable(probabilities, words, caption) {
  return el(
    "table",
    { class: "mg-head" },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, el("td"), words.map((word) => el("th", { scope: "col" }, word)))),
    el(
      "tbody",
      {},
      probabilities.map((row, at) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, words[at]),
          row.map((probability, seen) =>
            seen > at
              ? el("td", { class: "mg-number mg-unseen" }, "·")
              : el("td", { class: "mg-number", style: { "--cell": probabilityColour(probability) } }, number(probability, DECIMALS)),
          ),
        ),
      ),
    ),
  );
}
