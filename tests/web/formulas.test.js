import "./document.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { content, mathmlOf } from "../../tools/formulas.mjs";
import { window } from "./document.js";

const kept = readFileSync(new URL("../../web/formulas.json", import.meta.url), "utf8");

test("web/formulas.json is what tools/formulas.mjs writes", () => {
  assert.equal(kept, content());
});

test("every formula is well-formed MathML with its LaTeX beside it", () => {
  const formulas = JSON.parse(kept);
  assert.equal(Object.keys(formulas).length, 19);
  for (const [name, text] of Object.entries(formulas)) {
    const parsed = new window.DOMParser().parseFromString(text, "application/xml");
    assert.equal(parsed.querySelector("parsererror"), null, name);
    assert.equal(parsed.documentElement.localName, "math", name);
    assert.ok(parsed.querySelector("annotation").textContent.length > 0, name);
  }
});

test("a formula that KaTeX cannot read is an error, not a red text", () => {
  assert.throws(() => mathmlOf({ wrong: { formula: "\\frac{1}" } }), /KaTeX/);
});
