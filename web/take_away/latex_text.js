/** Words and sentences for LaTeX. */

import { SUPERSCRIPT } from "./latex_expression.js";

const ESCAPED = {
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#",
  "_": "\\_", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}",
  "<": "$<$", ">": "$>$", "|": "$|$", '"': "\\textquotedbl{}",
  "−": "$-$", "×": "$\\times$", "÷": "$\\div$", "·": "$\\cdot$", "√": "$\\surd$", "∞": "$\\infty$",
  "≈": "$\\approx$", "≤": "$\\le$", "≥": "$\\ge$", "→": "$\\to$", "Σ": "$\\Sigma$", "Φ": "$\\Phi$",
  "γ": "$\\gamma$", "β": "$\\beta$", "ε": "$\\varepsilon$", "μ": "$\\mu$", "σ": "$\\sigma$",
  "²": "$^2$", "³": "$^3$", "¹": "$^1$", "⁻": "$^-$", "…": "\\dots{}", "\u00a0": "~",
};

/** Text for LaTeX: signs of its own escaped, signs of mathematics in math mode. */
export function escaped(text) {
  return [...text.replace(/\s+/gu, " ")]
    .map((character) => (character in ESCAPED ? ESCAPED[character] : superscripted(character)))
    .join("");
}

function superscripted(character) {
  const digit = SUPERSCRIPT.indexOf(character);
  return digit < 0 ? character : `$^${digit}$`;
}
