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
