/** The formulas in the LaTeX of a working, rendered by KaTeX: where it can't, an error. */

import katex from "katex";

import { workingLatex } from "../../web/take_away/latex.js";

const DISPLAY = /\\\[([^]*?)\\\]/g;
const ALIGNED = /\\begin\{align\*\}[^]*?\\end\{align\*\}/g;

/** Renders one formula, or throws; what KaTeX would only warn of is an error too. */
export function rendered(latex) {
  return katex.renderToString(latex, { displayMode: true, throwOnError: true, strict: "error" });
}

/** Renders every formula of a working and returns how many there are. */
export function renderWorking({ formula, lines }) {
  const told = lines.map(({ label, expression, relation, result }) => ({ label, expression, relation, result, notes: [] }));
  const body = workingLatex({ title: "", formula, lines: told, caption: "" });
  const found = [...[...body.matchAll(DISPLAY)].map(([, inner]) => inner), ...[...body.matchAll(ALIGNED)].map(([whole]) => whole)];
  for (const latex of found) rendered(latex);
  return found.length;
}
