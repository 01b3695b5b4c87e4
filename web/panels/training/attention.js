/** The attention of every block and head for one prompt, as small tables. */

import { probabilityColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";

const SETTLED_MS = 120; // a slider that is still moving asks for nothing
const RETRY_MS = 1000; // PyTorch is being loaded

export function createAttention(container, { t, server, viewer }) {
  const note = el("p", { class: "mg-note" });
  const tables = el("div", { class: "mg-heads" });
  container.append(note, tables);
  let wanted = null;
  let shown = null;
  let view = null;
  let timer = null;

  async function ask() {
    const asked = wanted;
    const { model, tokens } = JSON.parse(asked);
    try {
      const answer = await server.view({ model, tokens, engine: "torch" });
      if (asked !== wanted) return;
      view = answer;
      shown = asked;
      draw();
    } catch (error) {
      if (!error.code) throw error;
      const again = error.code === "torch_loading" || error.code === "connection";
      if (again && asked === wanted) timer = setTimeout(ask, RETRY_MS);
    }
  }

  function draw() {
    note.textContent = t("training.attention");
    if (view) tables.replaceChildren(...headTables(view, viewer.view().model.words, t));
  }

  return {
    update(model, tokens) {
      wanted = JSON.stringify({ model, tokens });
      draw();
      if (wanted === shown) return;
      clearTimeout(timer);
      timer = setTimeout(ask, SETTLED_MS);
    },
  };
}

function headTables(view, words, t) {
  const seen = view.window.map((id) => words[id]);
  return [...Array(view.model.config.num_layers).keys()].flatMap((block) =>
    view.trace[`blocks.${block}.attention_probs`].map((probabilities, head) =>
      headTable(probabilities, seen, t("training.head", { block: block + 1, head: head + 1 })),
    ),
  );
}

/** Rows look, columns are looked at. */
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
              : el("td", { class: "mg-number", style: { "--cell": probabilityColour(probability) } }, number(probability, 2)),
          ),
        ),
      ),
    ),
  );
}
