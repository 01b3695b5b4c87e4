import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { createKeptModels } from "../../web/kept_models.js";
import { createOwnModels } from "../../web/own_models.js";
import { fromBase64, toBase64 } from "../../web/base64.js";
import { createStore } from "../../web/state.js";

let store;
let kept;
let own;
let offered;
let asked;

beforeEach(() => {
  store = createStore();
  kept = createKeptModels(undefined); // as in a private window: in this page alone
  offered = [];
  asked = [];
  const server = {
    async own_weights(request) {
      asked.push(["own_weights", request]);
      return { content: "AAAA", model: { id: request.model, config: { num_layers: 1 } } };
    },
    async own_load(request) {
      asked.push(["own_load", request]);
      return { model: { id: "own:new", config: { num_layers: 1 } } };
    },
  };
  const alert = { offer: (label, run) => offered.push(run) };
  own = createOwnModels({ store, server, alert, t: (key) => key }, kept);
});

test("using a model leaves no edit of another network behind", () => {
  store.set({ edits: { "lm_head.bias": { 0: 1 } }, switches: { head: false } });
  own.use("own:a");
  const { model, edits, switches } = store.get();
  assert.deepEqual([model, edits, switches], ["own:a", {}, {}]);
});

test("what was learned is kept, the newest first", async () => {
  await own.keep("own:a", { steps: 3, corpusLoss: 0.5 });
  await own.keep("own:b", { steps: 4, corpusLoss: 0.4 });
  const models = await kept.all();
  assert.deepEqual(new Set(models.map(({ id }) => id)), new Set(["own:a", "own:b"]));
  assert.equal((await kept.get("own:a")).content, "AAAA");
  assert.equal(await kept.get("own:c"), null);
});

test("a model that the server lost is offered, and brought back under its new name", async () => {
  await own.keep("own:a", { steps: 3, corpusLoss: 0.5 });
  await own.failed("own_unknown", "own:a");
  assert.equal(offered.length, 1);
  await offered[0]();
  assert.deepEqual(asked.at(-1), ["own_load", { content: "AAAA", config: undefined }]);
  assert.equal(store.get().model, "own:new");
  assert.deepEqual((await kept.all()).map(({ id, steps }) => [id, steps]), [["own:new", 3]]);
});

test("two clicks bring a model back once", async () => {
  await own.keep("own:a", { steps: 3, corpusLoss: 0.5 });
  const model = await kept.get("own:a");
  await Promise.all([own.bringBack(model), own.bringBack(model)]);
  assert.equal(asked.filter(([name]) => name === "own_load").length, 1);
  assert.equal((await kept.all()).length, 1);
});

test("nothing is offered for another error, or for a model that is not kept here", async () => {
  await own.keep("own:a", { steps: 3, corpusLoss: 0.5 });
  await own.failed("training_full", "own:a");
  await own.failed("own_unknown", "own:b");
  await own.failed("own_unknown", undefined);
  assert.equal(offered.length, 0);
});

test("what is removed is gone", async () => {
  await own.keep("own:a", { steps: 3, corpusLoss: 0.5 });
  await own.remove("own:a");
  assert.deepEqual(await kept.all(), []);
});

test("at most twenty are kept", async () => {
  for (let number = 0; number < 25; number += 1) {
    await kept.put({ id: `own:${number}`, when: number, content: "" });
  }
  const ids = (await kept.all()).map(({ id }) => id);
  assert.equal(ids.length, 20);
  assert.equal(ids[0], "own:24");
});

test("what the server refuses is not kept", async () => {
  const refusing = createOwnModels(
    {
      store,
      server: { own_weights: () => Promise.reject(new CallError("own_unknown", "gone")) },
      alert: {},
      t: (key) => key,
    },
    kept,
  );
  await assert.rejects(refusing.keep("own:a", {}), CallError);
  assert.deepEqual(await kept.all(), []);
});

test("bytes survive their way as text", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  assert.equal(toBase64(new Uint8Array()), "");
  assert.equal(toBase64(Uint8Array.of(104, 105)), "aGk=");
});
