/** The working of a cell, asked for when it is wanted, as LaTeX. */

import { viewRequest } from "../viewer.js";
import { createBook } from "../working/book.js";
import { loadFormulas } from "../working/formula.js";
import { linesAsText, titleOf } from "../working/lines.js";
import { placeOf } from "../working/sheets.js";
import { workingLatex } from "./latex.js";

/**
 * @param {object} state with an open cell, and `view` of it
 * @param {string} caption below it
 * @returns {Promise<string>} for the body of a document; rejects as the server's calls do
 */
export async function latexOfOpenCell({ server, t }, state, view, caption) {
  const cell = { key: state.stage, cell: state.cell };
  const [told, answer, formulas] = await Promise.all([
    server.network_stages({ model: state.model }),
    server.stage_values({ ...viewRequest(state), keys: [], cell, fold: true }),
    loadFormulas(),
  ]);
  const book = createBook(told);
  const { working } = answer;
  const context = { book, lang: state.lang, t, window: view.window, words: view.model.words, sizes: book.sizes };
  const value = book.valueOf(working.key);
  return workingLatex({
    title: `${titleOf(value, context)}${t("working.colon")}${placeOf(value, working.cell, context)}`,
    formula: formulaOf(formulas[book.homeOf(working.key).name]),
    lines: linesAsText(working, context),
    caption,
  });
}

/** The LaTeX that a formula's MathML was made from. */
function formulaOf(mathml) {
  if (!mathml) return null;
  const parsed = new window.DOMParser().parseFromString(mathml, "application/xml");
  return parsed.querySelector("annotation")?.textContent ?? null;
}
