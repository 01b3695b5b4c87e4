import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { createDifferences } from "../../web/differences.js";
import { createStore } from "../../web/state.js";
import { deferred, settled } from "./page.js";

const READY = { state: "ready", values: [], largest: { name: "logits", max_abs: 1e-7 } };

let store;
let asked;
let arrived;
let running;
let seen;
let differences;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  store = createStore();
  asked = [];
  seen = [];
  running = false;
  const server = {
    differences(request) {
      const call = { request, ...deferred() };
      asked.push(call);
      return call.promise;
    },
  };
  const viewer = { subscribe: (subscriber) => (arrived = subscriber) };
  differences = createDifferences({ store, server, viewer, generator: { running: () => running } });
  differences.subscribe((value) => seen.push(value));
  differences.start();
});

async function after(milliseconds) {
  mock.timers.tick(milliseconds);
  await settled();
}

async function answer(value) {
  asked.at(-1).resolve(value);
  await settled();
}

test("the first sentence is compared without waiting for a change", async () => {
  await after(0);
  assert.deepEqual(asked[0].request.tokens, [0, 1]);
  await answer(READY);
  assert.deepEqual(differences.get(), READY);
});

test("another sentence is compared a moment later; until then there is no figure", async () => {
  await after(0);
  await answer(READY);
  store.set({ tokens: [4] });
  arrived();
  assert.equal(differences.get(), null);
  await after(249);
  assert.equal(asked.length, 1);
  await after(1);
  assert.deepEqual(asked[1].request.tokens, [4]);
});

test("switching the engine changes nothing between the engines", async () => {
  await after(0);
  await answer(READY);
  store.set({ engine: "torch" });
  arrived();
  await after(1000);
  assert.equal(asked.length, 1);
  assert.deepEqual(differences.get(), READY);
});

test("while PyTorch loads it is asked again, and told once it is there", async () => {
  await after(0);
  await answer({ state: "loading", values: [], largest: null });
  await after(1000);
  await answer(READY);
  assert.deepEqual(seen.map((value) => value.state), ["loading", "ready"]);
});

test("without PyTorch nobody asks again", async () => {
  await after(0);
  await answer({ state: "missing", values: [], largest: null });
  store.set({ tokens: [4] });
  arrived();
  await after(5000);
  assert.equal(asked.length, 1);
});

test("nothing is compared while words are being generated", async () => {
  running = true;
  await after(1000);
  assert.equal(asked.length, 0);
  running = false;
  await after(250);
  assert.equal(asked.length, 1);
});

test("an answer for an older sentence is dropped", async () => {
  await after(0);
  store.set({ tokens: [4] });
  await answer(READY);
  assert.deepEqual(seen, []);
});

test("a lost connection is tried again, a refusal is not", async () => {
  await after(0);
  asked[0].reject(new CallError("connection", "…"));
  await settled();
  await after(1000);
  assert.equal(asked.length, 2);
  asked[1].reject(new CallError("edits", "…"));
  await settled();
  await after(5000);
  assert.equal(asked.length, 2);
});
