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
let told;

beforeEach(() => {
  store = createStore();
  kept = createKeptModels(undefined); // as in a private window: in this page alone
  offered = [];
  asked = [];
  told = [];
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
  const alert = { offer: (label, run) => offered.push(run), show: (text) => told.push(text) };
  own = createOwnModels({ store, server, alert, t: (key) => key, vocabularies: { sentenceFor: () => ({}) } }, kept);
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
  await own.failed("queue_full", "own:a");
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

/**
 * As much of IndexedDB as is used. `refuse()` may throw where a transaction begins, and gives the
 * reason for which the browser then aborts it, if any.
 */
function database(refuse = () => null) {
  const models = new Map();
  const later = (call) => setTimeout(call, 0);
  const answering = (result) => {
    const request = { result };
    later(() => request.onsuccess?.());
    return request;
  };
  const begin = (_, mode) => {
    const why = refuse(mode);
    const transaction = { objectStore: () => objects, error: why };
    const before = new Map(models);
    later(() => {
      if (!why) return transaction.oncomplete();
      models.clear();
      for (const [id, model] of before) models.set(id, model);
      return transaction.onabort();
    });
    return transaction;
  };
  const objects = {
    getAll: () => ({ result: [...models.values()] }),
    put: (model) => ({ result: models.set(model.id, model) && model.id }),
    delete: (id) => ({ result: void models.delete(id) }),
  };
  return { models, opened: 0, open() {
    this.opened += 1;
    return answering({ transaction: begin });
  } };
}

const MODEL = { id: "own:a", content: "AAAA", when: 1 };

function keepIn(factory) {
  kept = createKeptModels(factory);
  const server = {
    own_weights: async ({ model }) => ({ content: "AAAA", model: { id: model, config: {} } }),
    own_load: async () => ({ model: { id: "own:new", config: {} } }),
  };
  const alert = { offer() {}, show: (text) => told.push(text) };
  own = createOwnModels({ store, server, alert, t: (key) => key, vocabularies: { sentenceFor: () => ({}) } }, kept);
}

test("what the browser stores outlasts the page, and nothing is told", async () => {
  const stored = database();
  keepIn(stored);
  await own.keep("own:a", { steps: 3 });
  assert.deepEqual(told, []);
  assert.deepEqual((await createKeptModels(stored).all()).map(({ id, steps }) => [id, steps]), [["own:a", 3]]);
});

test("a database that the browser closed is opened anew", async () => {
  let isClosed = true;
  const stored = database(() => {
    if (stored.opened === 2) isClosed = false;
    if (isClosed) throw new Error("InvalidStateError: the database connection is closing");
    return null;
  });
  assert.equal(await createKeptModels(stored).put(MODEL), true);
  assert.ok(stored.models.has("own:a"));
});

for (const [why, factory] of [
  ["no database", undefined],
  ["a database that can't be opened", { open: () => { throw new Error("SecurityError"); } }],
  ["one that fails to open", { open: () => { const request = {}; setTimeout(() => request.onerror(), 0); return request; } }],
  ["one that is closed for good", database(() => { throw new Error("InvalidStateError"); })],
  ["a full disk", database((mode) => (mode === "readwrite" ? new Error("QuotaExceededError") : null))],
]) {
  test(`${why}: the model is in this page, and the person is told`, async () => {
    keepIn(factory);
    await own.keep("own:a", { steps: 3 });
    assert.deepEqual(told, ["shell.not_kept"]);
    const [model] = await kept.all();
    assert.deepEqual([model.id, model.isInPage], ["own:a", true]);
    await own.remove("own:a");
    assert.deepEqual(await kept.all(), []);
  });
}

test("a model that comes back under a new name is never out of the database in between", async () => {
  let isFull = false;
  const stored = database((mode) => (isFull && mode === "readwrite" ? new Error("QuotaExceededError") : null));
  keepIn(stored);
  await own.keep("own:a", { steps: 3 });
  isFull = true;
  await own.bringBack(await kept.get("own:a"));
  assert.deepEqual([...stored.models.keys()], ["own:a"]);
  assert.deepEqual(told, ["shell.not_kept"]);
  isFull = false;
  await own.bringBack(await kept.get("own:a"));
  assert.deepEqual([...stored.models.keys()], ["own:new"]);
});

test("bytes survive their way as text", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  assert.equal(toBase64(new Uint8Array()), "");
  assert.equal(toBase64(Uint8Array.of(104, 105)), "aGk=");
});
