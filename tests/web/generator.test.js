import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { createGenerator } from "../../web/generator.js";
import { viewRequest } from "../../web/viewer.js";
import { createStore } from "../../web/state.js";
import { deferred, settled, viewOf } from "./page.js";

let store;
let steps;
let generator;
let shown;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  store = createStore();
  steps = [];
  shown = [];
  const server = {
    step(request) {
      const call = { request, ...deferred() };
      steps.push(call);
      return call.promise;
    },
  };
  const viewer = {
    request: () => viewRequest(store.get()),
    change(patch, view) {
      store.set(patch);
      shown.push(view);
    },
  };
  generator = createGenerator({ store, server, viewer });
});

async function answer(id) {
  const step = steps.at(-1);
  step.resolve({ next_id: id, view: viewOf([...step.request.tokens, id]) });
  await settled();
}

async function pace() {
  mock.timers.tick(150);
  await settled();
}

test("words come one by one, each with its view, drawn from successive rows", async () => {
  generator.start(2);
  await answer(3);
  assert.deepEqual(store.get().tokens, [0, 1, 3]);
  await answer(4);
  assert.deepEqual(store.get().tokens, [0, 1, 3], "the next word waits for its pace");
  await pace();
  assert.deepEqual(store.get().tokens, [0, 1, 3, 4]);
  assert.deepEqual(steps.map((step) => step.request.index), [0, 1]);
  assert.equal(shown.length, 2);
  assert.equal(generator.running(), false);
  assert.equal(steps.length, 2);
});

test("appending one after another goes on in the same draws", async () => {
  generator.start(1);
  await answer(3);
  generator.start(1);
  assert.equal(steps[1].request.index, 1);
});

test("stop drops a word that waits for its pace", async () => {
  generator.start(6);
  await answer(3);
  await answer(4);
  generator.stop();
  await pace();
  assert.deepEqual(store.get().tokens, [0, 1, 3]);
  assert.equal(steps.length, 2);
});

test("stop drops the word under way", async () => {
  generator.start(6);
  generator.stop();
  await answer(3);
  assert.deepEqual(store.get().tokens, [0, 1]);
  assert.equal(generator.running(), false);
});

test("a word of the person's ends the run", async () => {
  generator.start(6);
  store.set({ tokens: [0, 1, 2] });
  assert.equal(generator.running(), false);
  await answer(3);
  await pace();
  assert.deepEqual(store.get().tokens, [0, 1, 2]);
  assert.equal(steps.length, 1);
});

test("a double click on append gives two words", async () => {
  generator.start(1);
  generator.start(1);
  await answer(3);
  await answer(4);
  await pace();
  assert.deepEqual(store.get().tokens, [0, 1, 3, 4]);
});

test("the engine can be switched in the middle", async () => {
  generator.start(2);
  store.set({ engine: "torch" });
  await answer(3);
  assert.deepEqual(store.get().tokens, [0, 1, 3]);
  assert.equal(shown.length, 0, "the view that came is the other engine's");
  assert.equal(steps[1].request.engine, "torch");
});

test("while PyTorch loads the run waits", async () => {
  generator.start(1);
  steps[0].reject(new CallError("torch_loading", "…"));
  await settled();
  assert.equal(generator.running(), true);
  await pace();
  assert.equal(steps.length, 2);
  await answer(3);
  assert.deepEqual(store.get().tokens, [0, 1, 3]);
});

test("a refused setting ends the run and names itself; the words so far stay", async () => {
  const refused = [];
  generator.onRefusal((code) => refused.push(code));
  generator.start(3);
  await answer(3);
  steps[1].reject(new CallError("temperature", "…"));
  await settled();
  assert.deepEqual(refused, ["temperature"]);
  assert.equal(generator.running(), false);
  assert.deepEqual(store.get().tokens, [0, 1, 3]);
});
