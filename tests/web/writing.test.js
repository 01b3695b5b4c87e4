import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createHistory } from "../../web/history.js";
import { createStore } from "../../web/state.js";
import { createWriting } from "../../web/writing.js";
import { INITIAL } from "./page.js";

let store;
let shown;
let stopped;
let writing;

beforeEach(() => {
  store = createStore();
  shown = [];
  stopped = 0;
  writing = createWriting({
    store,
    history: createHistory({ store, vocabularies: { differ: () => false } }),
    generator: { stop: () => (stopped += 1) },
    alert: { show: (text) => shown.push(text), clear: () => (shown = []) },
    initial: INITIAL,
    t: (key, values) => `${key} ${JSON.stringify(values)}`,
  });
});

test("words are appended, taken back and cleared, and each ends a generation", () => {
  writing.append([3, 4]);
  assert.deepEqual(store.get().tokens, [0, 1, 3, 4]);
  writing.clear();
  assert.deepEqual(store.get().tokens, []);
  writing.undo();
  assert.deepEqual(store.get().tokens, [0, 1, 3, 4]);
  assert.equal(stopped, 3);
});

test("a sentence that would be too long stays as it is, and the page says why", () => {
  store.set({ tokens: Array(256).fill(0) });
  writing.append([1]);
  assert.equal(store.get().tokens.length, 256);
  assert.deepEqual(shown, ['error.token_limit {"length":257,"limit":256}']);
});

test("clearing what is empty is no change to undo", () => {
  writing.clear();
  writing.clear();
  writing.undo();
  assert.deepEqual(store.get().tokens, [0, 1]);
});
