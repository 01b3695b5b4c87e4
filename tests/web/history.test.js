import assert from "node:assert/strict";
import { test } from "node:test";

import { createHistory } from "../../web/history.js";
import { createStore } from "../../web/state.js";

test("undo takes back one change after another, a clearing too", () => {
  const store = createStore();
  const history = createHistory({ store, vocabularies: { differ: () => false } });
  store.set({ tokens: [0, 1, 3], drawn: 1 });
  store.set({ tokens: [] });
  history.undo();
  assert.deepEqual([store.get().tokens, store.get().drawn], [[0, 1, 3], 1]);
  history.undo();
  assert.deepEqual([store.get().tokens, store.get().drawn], [[0, 1], 0]);
});

test("right after a reload undo takes the last word away", () => {
  const store = createStore({ tokens: [0, 1, 3], drawn: 1 });
  const history = createHistory({ store, vocabularies: { differ: () => false } });
  history.undo();
  assert.deepEqual([store.get().tokens, store.get().drawn], [[0, 1], 0]);
});

test("a word that was not drawn is taken away without one draw less than none", () => {
  const store = createStore({ tokens: [0, 1], drawn: 0 });
  createHistory({ store, vocabularies: { differ: () => false } }).undo();
  assert.deepEqual([store.get().tokens, store.get().drawn], [[0], 0]);
});

test("there is nothing to undo in an empty sentence", () => {
  const store = createStore({ tokens: [] });
  const history = createHistory({ store, vocabularies: { differ: () => false } });
  assert.equal(history.canUndo(), false);
  history.undo();
  assert.deepEqual(store.get().tokens, []);
});

test("other changes are not undone", () => {
  const store = createStore();
  const history = createHistory({ store, vocabularies: { differ: () => false } });
  store.set({ tokens: [2] });
  store.set({ lang: "en" });
  history.undo();
  assert.equal(store.get().lang, "en");
});
