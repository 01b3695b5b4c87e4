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
  const bars = createBars(container, { t: (key) => key });
  const rows = () => [...container.querySelectorAll("tbody tr")];
  const texts = () => rows().map((row) => [...row.querySelectorAll("th, .mg-number")].map((cell) => cell.textContent));
  return { bars, rows, texts };
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
