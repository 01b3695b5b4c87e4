/** The words to click: all of a few in their order; of many the most probable, and a search. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { window } from "./document.js";

import { createPalette } from "../../web/palette.js";

const MANY = [..."床前明月光疑是地上霜举头望低思"];
const SHARES = MANY.map((_, id) => (id + 1) / 120); // the later the more probable

let container;
let palette;
let said;

beforeEach(() => {
  container = document.createElement("div");
  said = [];
  palette = createPalette(container, { writing: { append: (ids) => said.push(ids) }, t: (key, values) => `${key} ${Object.values(values ?? {})}` });
});

const view = (words, probabilities) => ({ model: { words }, probabilities });
const search = () => container.querySelector(".mg-word-search");
const shown = () => [...container.querySelectorAll(".mg-word")].filter((button) => !button.hidden);
const words = () => shown().map((button) => button.querySelector(".mg-word-text").textContent);

function type(text) {
  search().value = text;
  search().dispatchEvent(new window.Event("input", { bubbles: true }));
}

test("a few words stand in their order, without a search", () => {
  palette.update({}, view(["我", "喜欢", "AI"], [0.1, 0.2, 0.7]));
  assert.deepEqual(words(), ["我", "喜欢", "AI"]);
  assert.ok(search().hidden);
  shown()[2].click();
  assert.deepEqual(said, [[2]]);
});

test("of many the most probable come first, and any other is found", () => {
  palette.update({}, view(MANY, SHARES));
  assert.deepEqual(words(), [...MANY].reverse().slice(0, 12));
  assert.match(search().getAttribute("aria-label"), /15$/);
  shown()[0].click();
  assert.deepEqual(said, [[14]]);
  type("前");
  assert.deepEqual(words(), ["前"]);
  shown()[0].click();
  assert.deepEqual(said, [[14], [1]]);
  palette.update({}, view(MANY, [...SHARES].reverse()));
  assert.equal(words()[0], MANY[0]); // the search is over
});

test("a word that is not there is said to be none, and Enter then adds none", () => {
  palette.update({}, view(MANY, null)); // of an empty sentence, or hidden
  assert.deepEqual(words(), MANY.slice(0, 12));
  type("猫");
  assert.deepEqual(words(), []);
  assert.match(container.textContent, /word_none 猫/);
  search().dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  assert.deepEqual(said, []);
  type("月");
  search().dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  assert.deepEqual(said, [[3]]);
});
