import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore, DEFAULT_STATE } from "../../web/state.js";

test("the first state is the lesson's prompt A in Chinese", () => {
  const state = createStore().get();
  assert.deepEqual(state.tokens, [0, 1]);
  assert.equal(state.lang, "zh");
});

test("a change replaces the state and tells old and new", () => {
  const store = createStore();
  const before = store.get();
  const calls = [];
  store.subscribe((...states) => calls.push(states));
  store.set({ stage: "logits" });
  assert.deepEqual(calls, [[store.get(), before]]);
  assert.equal(before.stage, null);
  assert.equal(DEFAULT_STATE.stage, null);
});

test("what changes nothing is told to nobody", () => {
  const store = createStore();
  store.subscribe(() => assert.fail("told"));
  store.set({ lang: "zh", panel: null });
});

test("a subscriber can leave, also while it is told", () => {
  const store = createStore();
  let told = 0;
  const leave = store.subscribe(() => {
    told += 1;
    leave();
  });
  store.set({ lang: "en" });
  store.set({ lang: "zh" });
  assert.equal(told, 1);
});

test("words that a person sets are not drawn ones", () => {
  const store = createStore({ tokens: [0, 1, 3], drawn: 1 });
  store.set({ tokens: [0, 1, 3, 4] });
  assert.equal(store.get().drawn, 0);
  store.set({ tokens: [0, 1, 3, 4, 1], drawn: 1 });
  assert.equal(store.get().drawn, 1);
});
