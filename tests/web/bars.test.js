import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createBars } from "../../web/bars.js";
import { el } from "../../web/dom.js";
import { viewOf } from "./page.js";

const NUMBERS = {
  probabilities: [0.1742, 0.0037, 0.0124, 0.4835, 0.3261],
  logits: [1.1128, -2.739, -1.5262, 2.1336, 1.7397],
};

function drawn() {
  const container = el("div");
  const set = [];
  const bars = createBars(container, { t: (key) => key, store: { set: (patch) => set.push(patch) } });
  const rows = () => [...container.querySelectorAll("tbody tr")];
  const texts = () => rows().map((row) => [...row.querySelectorAll("th, .mg-number")].map((cell) => cell.textContent));
  return { bars, rows, texts, set };
}

test("a row a word: its probability, its logit, and the largest marked", () => {
  const { bars, rows, texts } = drawn();
  bars.update({}, viewOf([0, 1], NUMBERS));
  assert.deepEqual(texts()[1], ["喜欢", "0.0037", "\u22122.7390"]);
  assert.deepEqual(rows().map((row) => row.classList.contains("mg-largest")), [false, false, false, true, false]);
  assert.equal(rows()[3].querySelector(".mg-bar").style.getPropertyValue("--share"), "0.4835");
});

test("rows stay the same elements, so that a bar can grow", () => {
  const { bars, rows } = drawn();
  bars.update({}, viewOf([0, 1], NUMBERS));
  const before = rows();
  bars.update({}, viewOf([4, 1], NUMBERS));
  assert.deepEqual(rows(), before);
});

test("an empty sentence has rows without numbers", () => {
  const { bars, rows, texts } = drawn();
  bars.update({}, viewOf([], { probabilities: null, logits: null }));
  assert.deepEqual(texts()[0], ["我", "—", "—"]);
  assert.ok(rows().every((row) => row.querySelector(".mg-bar").hidden));
});

/** A network of 30 words; their probabilities are 1/465, 2/465 … 30/465. */
function manyWords() {
  const words = Array.from({ length: 30 }, (_, id) => `w${id}`);
  const shares = words.map((_, id) => (id + 1) / 465);
  const model = { id: "own", words, config: { context_length: 2, vocab_size: 30 } };
  return viewOf([0, 1], { model, probabilities: shares, logits: shares.map(Math.log), window: [0, 1], trace: {} });
}

test("of thirty words the ten most probable have a row, the others one together that adds up", () => {
  const { bars, rows, texts } = drawn();
  const view = manyWords();
  bars.update({}, view);
  assert.equal(rows().length, 11);
  assert.deepEqual(texts().slice(0, 10).map(([word]) => word), view.model.words.slice(20).reverse());
  assert.equal(rows()[0].classList.contains("mg-largest"), true);
  const [name, rest] = texts()[10];
  assert.equal(name, "shell.other_words");
  assert.equal(rest, (210 / 465).toFixed(4)); // 1 + 2 + … + 20
  const all = texts().reduce((sum, row) => sum + Number(row[1]), 0);
  assert.ok(Math.abs(all - 1) < 0.001, `${all}`);
});

test("a row of the ten opens the probability of the word that it shows now", () => {
  const { bars, rows, set } = drawn();
  const view = manyWords();
  bars.update({}, view);
  rows()[0].click();
  assert.deepEqual(set, [{ stage: "vocabulary_probs", cell: [1, 29] }]);
  bars.update({}, { ...view, probabilities: [...view.probabilities].reverse() });
  rows()[0].click();
  assert.deepEqual(set.at(-1), { stage: "vocabulary_probs", cell: [1, 0] });
});

test("from a few words to many and back each has its rows", () => {
  const { bars, rows } = drawn();
  for (const [view, count] of [[viewOf([0, 1], NUMBERS), 5], [manyWords(), 11], [viewOf([0, 1], NUMBERS), 5]]) {
    bars.update({}, view);
    assert.equal(rows().length, count);
  }
});

test("of many words without a sentence no number is known, of the others neither", () => {
  const { bars, texts } = drawn();
  bars.update({}, { ...manyWords(), probabilities: null, logits: null });
  assert.deepEqual(texts()[0], ["w0", "—", "—"]);
  assert.equal(texts()[10][1], "—");
});
