import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { createStore, DEFAULT_STATE } from "../../web/state.js";
import { createViewer } from "../../web/viewer.js";
import { deferred, settled, viewOf } from "./page.js";

let store;
let asked;
let viewer;
let seen;

beforeEach(() => {
  mock.timers.reset();
  store = createStore();
  asked = [];
  seen = [];
  const server = {
    view(request) {
      const call = { request, ...deferred() };
      asked.push(call);
      return call.promise;
    },
  };
  viewer = createViewer({ store, server });
  viewer.subscribe((view) => seen.push(view));
});

const FIRST = viewOf([0, 1]);

test("the first view costs no request", () => {
  viewer.start(FIRST, DEFAULT_STATE);
  assert.deepEqual(seen, [FIRST]);
  assert.equal(asked.length, 0);
});

test("an address with another sentence is asked for at once", async () => {
  store.set({ tokens: [4] });
  viewer.start(FIRST, DEFAULT_STATE);
  assert.equal(asked.length, 1);
  asked[0].resolve(viewOf([4]));
  await settled();
  assert.deepEqual(seen, [viewOf([4])]);
});

test("eight quick changes cost two requests, and the last one is shown", async () => {
  viewer.start(FIRST, DEFAULT_STATE);
  for (let count = 1; count <= 8; count += 1) store.set({ tokens: Array(count).fill(4) });
  assert.equal(asked.length, 1);
  asked[0].resolve(viewOf([4]));
  await settled();
  assert.equal(asked.length, 2);
  assert.equal(asked[1].request.tokens.length, 8);
  asked[1].resolve(viewOf(Array(8).fill(4)));
  await settled();
  assert.deepEqual(seen.map((view) => view.tokens.length), [2, 8]);
});

test("changes that need no new view ask nothing", () => {
  viewer.start(FIRST, DEFAULT_STATE);
  store.set({ lang: "en", stage: "logits", sampling: { mode: "sample" } });
  assert.equal(asked.length, 0);
});

test("a view that came with another answer is shown without a request", () => {
  viewer.start(FIRST, DEFAULT_STATE);
  viewer.change({ tokens: [0, 1, 3], drawn: 1 }, viewOf([0, 1, 3]));
  assert.equal(asked.length, 0);
  assert.deepEqual(seen.at(-1), viewOf([0, 1, 3]));
});

test("what the server refuses is taken back, but never the sentence", async () => {
  viewer.start(FIRST, DEFAULT_STATE);
  store.set({ tokens: [0, 4], engine: "torch" });
  asked[0].reject(new CallError("torch_missing", "…"));
  await settled();
  assert.equal(store.get().engine, "onnxruntime");
  assert.deepEqual(store.get().tokens, [0, 4]);
  asked[1].resolve(viewOf([0, 4]));
  await settled();
  assert.deepEqual(seen.at(-1).tokens, [0, 4]);
});

test("a sentence that cannot be shown is not asked for again and again", async () => {
  viewer.start(FIRST, DEFAULT_STATE);
  store.set({ tokens: [0, 4] });
  asked[0].reject(new CallError("internal", "…"));
  await settled();
  assert.equal(asked.length, 1);
});

for (const code of ["connection", "busy", "torch_loading"]) {
  test(`what passes by itself is waited for (${code}): the newest state is asked for until it comes`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    viewer.start(FIRST, DEFAULT_STATE);
    store.set({ tokens: [4], engine: "torch" });
    asked[0].reject(new CallError(code, "…"));
    await settled();
    assert.equal(asked.length, 1);
    assert.equal(store.get().engine, "torch");
    mock.timers.tick(1000);
    assert.equal(asked.length, 2);
    asked[1].resolve(viewOf([4]));
    await settled();
    assert.deepEqual(seen.at(-1), viewOf([4]));
  });
}

test("while the ONNX form is made, the view waits for it and nothing is taken back", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  viewer.start(FIRST, DEFAULT_STATE);
  store.set({ model: "own:a" });
  asked[0].reject(new CallError("onnx_preparing", "a moment"));
  await settled();
  assert.equal(store.get().model, "own:a");
  mock.timers.tick(1000);
  assert.equal(asked.length, 2);
  asked[1].resolve(viewOf([0, 1]));
  await settled();
  assert.equal(seen.length, 2);
});

test("a model that the server has lost gives way to the one of a first visit", async () => {
  viewer.start(FIRST, DEFAULT_STATE);
  store.set({ model: "own:a" });
  asked[0].resolve(viewOf([0, 1]));
  await settled();
  store.set({ tokens: [4] });
  asked[1].reject(new CallError("own_unknown", "lost"));
  await settled();
  assert.equal(store.get().model, "teaching");
  assert.deepEqual(store.get().tokens, [4]);
  assert.equal(asked.length, 3);
});

test("whoever no longer wants to know is not told", () => {
  const told = [];
  const unsubscribe = viewer.subscribe((view) => told.push(view));
  unsubscribe();
  viewer.start(FIRST, DEFAULT_STATE);
  assert.deepEqual(told, []);
});
