import "./document.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createChips } from "../../web/chips.js";
import { el } from "../../web/dom.js";
import { createStore } from "../../web/state.js";
import { viewOf } from "./page.js";

let store;
let container;
let view;
let chips;
let isCurrent; // whether the view is of the sentence

beforeEach(() => {
  store = createStore();
  container = el("div");
  view = viewOf([0, 1]);
  isCurrent = false;
  const viewer = { view: () => view, isCurrent: () => isCurrent };
  const t = (key, values) => (values ? `${key} ${JSON.stringify(values)}` : key);
  chips = createChips(container, { store, viewer, t });
  chips.update(store.get(), view);
});

const classes = () => [...container.querySelectorAll(".mg-chip")].map((chip) => chip.className);

test("words are there before their numbers are", () => {
  store.set({ tokens: [0, 1, 4] });
  const words = [...container.querySelectorAll(".mg-chip")].map((chip) => chip.firstChild.textContent);
  assert.deepEqual(words, ["我", "喜欢", "猫"]);
});

test("brackets stand around the window and nowhere else", () => {
  store.set({ tokens: [0, 1, 4] });
  assert.deepEqual(classes(), ["mg-chip mg-outside", "mg-chip mg-inside mg-first", "mg-chip mg-inside mg-last"]);
  store.set({ tokens: [2] });
  assert.deepEqual(classes(), ["mg-chip mg-inside mg-first mg-last"]);
});

test("what is outside is said to a screen reader too", () => {
  store.set({ tokens: [0, 1, 4] });
  assert.match(container.querySelector(".mg-outside").textContent, /shell\.outside_window/);
});

test("an empty sentence invites", () => {
  store.set({ tokens: [] });
  assert.deepEqual(classes(), []);
  assert.equal(container.querySelector(".mg-next-chip").textContent, "shell.invitation");
});

test("the window's note is of the model that is shown, for every length and on the way back", () => {
  const note = () => container.querySelector(".mg-window-note").textContent;
  for (const tokens of [[], [0], [0, 1]]) {
    for (const context of [2, 8, 3, 2]) {
      view = viewOf(tokens, { model: { ...view.model, config: { context_length: context } } });
      store.set({ tokens });
      chips.update(store.get(), view);
      assert.match(note(), new RegExp(`"context":${context}\\b`), `${tokens.length} words`);
    }
  }
});

const NEXT = [0.1742, 0.0037, 0.0124, 0.4835, 0.3261];
const winner = () => container.querySelector(".mg-winner")?.textContent ?? null;

/** The view of the sentence has come. */
function arrive(tokens, probabilities) {
  view = viewOf(tokens, { probabilities });
  isCurrent = true;
  chips.update(store.get(), view);
}

test("the next chip says the most probable word as soon as its number is known", () => {
  assert.equal(winner(), null);
  arrive([0, 1], NEXT);
  assert.equal(winner(), "学习 0.4835");
  assert.equal(container.querySelector(".mg-next-chip").textContent, "?学习 0.4835");
});

test("it never says the most probable word of other words", () => {
  arrive([0, 1], NEXT);
  isCurrent = false;
  store.set({ tokens: [0, 1, 4] });
  assert.equal(winner(), null);
  chips.update(store.get(), view); // as when the language changes meanwhile
  assert.equal(winner(), null);
  arrive([0, 1, 4], [0.7, 0.1, 0.1, 0.05, 0.05]);
  assert.equal(winner(), "我 0.7000");
});

test("back to the sentence whose numbers are shown, before others came: its words and its winner", () => {
  arrive([0, 1], NEXT);
  isCurrent = false;
  store.set({ tokens: [0, 1, 4] });
  isCurrent = true;
  store.set({ tokens: [0, 1] });
  assert.equal(container.querySelectorAll(".mg-chip").length, 2);
  assert.equal(winner(), "学习 0.4835");
});

test("while results are hidden the winner is not said, not on the way back either", () => {
  view = viewOf([0, 1], { probabilities: NEXT });
  isCurrent = true;
  chips.update(store.get(), { ...view, probabilities: null }); // as the veil gives it
  assert.equal(winner(), null);
  isCurrent = false;
  store.set({ tokens: [0, 1, 4] });
  isCurrent = true;
  store.set({ tokens: [0, 1] });
  assert.equal(winner(), null);
});

test("a view of the sentence that has come but is not drawn yet gives no winner of the last one", () => {
  arrive([0, 1], NEXT);
  view = viewOf([0, 1, 4], { probabilities: [1, 0, 0, 0, 0] });
  store.set({ tokens: [0, 1, 4] });
  assert.equal(winner(), null);
});

test("an empty sentence has no winner", () => {
  store.set({ tokens: [] });
  arrive([], null);
  assert.equal(winner(), null);
  assert.equal(container.querySelector(".mg-next-chip").textContent, "shell.invitation");
});
