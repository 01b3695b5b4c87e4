/** A training has two losses, of its last batch and over the corpus: each says which it is. */

import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { el } from "../../web/dom.js";
import { corpusLossAt } from "../../web/panels/training.js";
import { createStatus } from "../../web/panels/training/status.js";
import { STRINGS } from "./strings.js";

const WHICH = { zh: /（[有无] dropout）\s*\{loss\}/, en: /\(with(out)? dropout\) \{loss\}/ };

function translate(lang) {
  return (key, values = {}) => STRINGS[key][lang].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

function said(training, lang) {
  const container = el("div");
  createStatus(container, { t: translate(lang) }, { get: () => training, isAsking: () => false }).update();
  return container.querySelector("[role=status]").textContent;
}

test("the status says both losses of the step it stands at, each by its name", () => {
  const training = { status: "finished", step: 400, steps: 400, points: [[400, 0.002, 1, 0.0017, []]] };
  assert.match(said(training, "zh"), /（有 dropout）0\.0020.*（无 dropout）0\.0017/);
  assert.match(said(training, "en"), /\(with dropout\) 0\.0020.*\(without dropout\) 0\.0017/);
  const between = { ...training, points: [[399, 0.002, 1, null, null]] };
  assert.doesNotMatch(said(between, "en"), /without dropout/);
});

test("wherever the page says a loss of a training, it says which", () => {
  const keys = Object.keys(STRINGS).filter((key) => STRINGS[key].en.includes("{loss}") && key.startsWith("training."));
  assert.ok(keys.length >= 4);
  for (const key of keys) for (const lang of ["zh", "en"]) assert.match(STRINGS[key][lang], WHICH[lang], key);
});

test("a kept model has the loss of its very step, or none", () => {
  const points = [[0, 2, 1, 1.6, []], [4, 1, 1, 0.9, []], [5, 1, 1, null, null]];
  assert.equal(corpusLossAt({ points }, 4), 0.9);
  assert.equal(corpusLossAt({ points }, 5), null);
});
