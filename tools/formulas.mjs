/**
 * `node tools/formulas.mjs`: write web/formulas.json, the formulas of model/formulas.json as
 * MathML, so that the browser needs no KaTeX. With `--check` it only checks that the file is up
 * to date.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import katex from "katex";

const SOURCE = new URL("../model/formulas.json", import.meta.url);
const TARGET = new URL("../web/formulas.json", import.meta.url);

/** `{name: MathML}` for `{name: LaTeX}`. */
export function mathmlOf(formulas) {
  return Object.fromEntries(Object.entries(formulas).map(([name, latex]) => [name, mathml(latex)]));
}

/** The content of web/formulas.json for the current model/formulas.json. */
export function content() {
  const formulas = JSON.parse(readFileSync(SOURCE, "utf8"));
  return `${JSON.stringify(mathmlOf(formulas), null, 2)}\n`;
}

function mathml(latex) {
  const markup = katex.renderToString(latex, {
    displayMode: true,
    output: "mathml",
    throwOnError: true,
    strict: "error",
  });
  // Without KaTeX's span around the formula, which is for its own style sheet.
  return markup.slice(markup.indexOf("<math"), markup.indexOf("</math>") + "</math>".length);
}

function main() {
  const made = content();
  if (!process.argv.includes("--check")) {
    writeFileSync(TARGET, made);
  } else if (readFileSync(TARGET, "utf8") !== made) {
    process.exitCode = 1;
    console.error("web/formulas.json is out of date: run node tools/formulas.mjs");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
