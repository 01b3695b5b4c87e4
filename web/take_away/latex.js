/** A working as LaTeX: its lines one below the other, for the body of a document or as one. */

import { latexOf, termsOf } from "./latex_expression.js";
import { escaped } from "./latex_text.js";

const TERMS = 4; // of a sum, in a row of the page

/**
 * @param {object} given `title`, `formula` (LaTeX, or null), `lines`: {label, expression,
 *   relation, result, notes: text[]}, `caption`
 * @returns {string} for the body of a document
 */
export function workingLatex({ title, formula, lines, caption }) {
  return [
    `\\noindent\\textbf{${escaped(title)}}`,
    formula && `\\[ ${formula} \\]`,
    ...lines.map(linePart),
    `\\noindent ${escaped(caption)}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function linePart({ label, expression, relation, result, notes }) {
  const sign = relation === "≈" ? "\\approx" : "=";
  const terms = termsOf(expression);
  const rows = [];
  for (let at = 0; at < terms.length; at += TERMS) rows.push(terms.slice(at, at + TERMS).join(" "));
  const broken = rows.map((row, at) => (at ? `&\\quad {} ${row}` : `& ${row}`));
  const display = ["\\begin{align*}", [...broken, `&${sign} ${latexOf(result)}`].join(" \\\\\n"), "\\end{align*}"];
  return [`\\noindent ${escaped(label)}`, ...display, ...notes.map((note) => `\\noindent {\\small ${escaped(note)}}\\par`)].join("\n");
}

/** A document of its own around `body`. */
export function latexDocument(body) {
  return `% For pdflatex; needs amsmath, and CJKutf8 with its font gbsn for Chinese words.
\\documentclass{article}
\\usepackage[T1]{fontenc}
\\usepackage{textcomp}
\\usepackage{amsmath}
\\usepackage{CJKutf8}
\\setlength{\\parindent}{0pt}
\\begin{document}
\\begin{CJK*}{UTF8}{gbsn}

${body}

\\end{CJK*}
\\end{document}
`;
}

/** Before a body that is pasted into a document. */
export const NEEDS = "% needs amsmath, and CJKutf8 with its font gbsn for Chinese words";
