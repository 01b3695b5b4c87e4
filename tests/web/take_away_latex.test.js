/** A working as LaTeX: the same numbers, signs LaTeX knows, brackets in pairs. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { latexDocument, workingLatex } from "../../web/take_away/latex.js";
import { latexOf } from "../../web/take_away/latex_expression.js";
import { escaped } from "../../web/take_away/latex_text.js";
import { rendered, renderWorking } from "./rendered_latex.js";

test("arithmetic is read as it is written", () => {
  for (const [expression, latex] of [
    ["0.2 + 0.05", "0.2 + 0.05"],
    ["−0.1 − (−0.3)", "-0.1 - \\left(-0.3\\right)"],
    ["(0.5 + 0.3 + (−0.15)) ÷ 4", "\\frac{0.5 + 0.3 + \\left(-0.15\\right)}{4}"],
    ["1×(−0.0531) + 0", "1 \\times \\left(-0.0531\\right) + 0"],
    ["√(0.05547 + 0.00001)", "\\sqrt{0.05547 + 0.00001}"],
    ["0.5×(1 + erf(0 ÷ √2))", "0.5 \\times \\left(1 + \\operatorname{erf}\\left(\\frac{0}{\\sqrt{2}}\\right)\\right)"],
    ["exp(−∞)", "\\exp\\left(-\\infty\\right)"],
    ["max(0.1, 0.2)", "\\max\\left(0.1, 0.2\\right)"],
    ["(0.1 − 0.2)²", "\\left(0.1 - 0.2\\right)^{2}"],
    ["(−1.25×10⁻⁸)×3", "\\left(-1.25 \\times 10^{-8}\\right) \\times 3"],
    ["1.2×10²³", "1.2 \\times 10^{23}"],
    ["−∞", "-\\infty"],
    ["NaN", "\\text{NaN}"],
  ]) {
    assert.equal(latexOf(expression), latex, expression);
  }
});

test("what is no arithmetic is refused and not guessed", () => {
  for (const text of ["0.1 +", "(0.1", "0.1)", "sin(1)", "0.1 & 0.2", ""]) assert.throws(() => latexOf(text), text);
});

/** Every line that the recorded answers of the server have. */
function recordedLines() {
  const folder = new URL("fixtures/answers/", import.meta.url);
  const entries = readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
  return entries.flatMap(({ answer }) => answer?.working?.lines ?? []);
}

test("every line that the server gave is read, with its numbers in their order", () => {
  const lines = recordedLines();
  assert.ok(lines.length > 100, `${lines.length} lines`);
  const plain = (text) => text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu, (digits) => ` ${[...digits].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)).join("")}`);
  const numbers = (text) => text.match(/\d+(?:\.\d+)?/g) ?? [];
  for (const { expression, result } of lines) {
    const latex = latexOf(expression);
    assert.deepEqual(numbers(latex), numbers(plain(expression)), expression);
    assert.equal(latex.split("{").length, latex.split("}").length, latex);
    assert.equal(latex.split("\\left(").length, latex.split("\\right)").length, latex);
    assert.deepEqual(numbers(latexOf(result)), numbers(plain(result)));
    assert.match(latex, /^[\x20-\x7e]*$/, latex);
  }
});

test("KaTeX renders the LaTeX of every line that the server gave, and of no broken one", () => {
  for (const line of recordedLines()) assert.equal(renderWorking({ formula: null, lines: [line] }), 1);
  for (const broken of ["\\frac{1}{", "1 \\nonsense 2", "\\left( 1"]) assert.throws(() => rendered(broken), /KaTeX/);
});

const KNOWN_TO_LATEX = /^[\x20-\x7e\u2e80-\u9fff\uff00-\uffef\u3000-\u303f“”‘’—–]*$/;

test("every title, note and caption is made of signs that LaTeX knows", () => {
  for (const language of ["zh", "en"]) {
    const read = (name) => JSON.parse(readFileSync(new URL(`../../languages/${language}/${name}.json`, import.meta.url), "utf8"));
    const { stages, values, weights } = read("network");
    const titles = [...Object.values(stages).map(({ title }) => title), ...Object.values(values), ...Object.values(weights)];
    const texts = [...titles, ...Object.entries(read("page/working")).flatMap(([key, text]) => (/\.(note|place|comma|colon)/.test(key) ? [text] : [])), ...Object.values(read("page/take_away"))];
    for (const text of texts) assert.match(escaped(text), KNOWN_TO_LATEX, text);
  }
});

test("signs with a meaning in LaTeX are escaped", () => {
  assert.equal(escaped("a_b 50% {x} #1 $2 & \\c ^ ~"), "a\\_b 50\\% \\{x\\} \\#1 \\$2 \\& \\textbackslash{}c \\textasciicircum{} \\textasciitilde{}");
  assert.equal(escaped("μ ÷ √D"), "$\\mu$ $\\div$ $\\surd$D");
});

test("a document has its parts, long sums in rows", () => {
  const expression = Array.from({ length: 9 }, (_, term) => `${term}×0.5`).join(" + ");
  const line = { label: "logit", expression, relation: "≈", result: "18", notes: ["50%"] };
  const body = workingLatex({ title: "A & B", formula: "x = y", lines: [line], caption: "我 喜欢" });
  const text = latexDocument(body);
  for (const part of ["\\usepackage{amsmath}", "\\usepackage{CJKutf8}", "\\textbf{A \\& B}", "\\[ x = y \\]", "50\\%", "我 喜欢"]) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(/\\begin\{align\*\}([^]*)\\end/.exec(body)[1].split("\\\\").length, 4);
  assert.ok(body.includes("&\\approx 18"));
  for (const name of ["document", "CJK*", "align*"]) {
    assert.equal(text.split(`\\begin{${name}}`).length, text.split(`\\end{${name}}`).length);
  }
});
