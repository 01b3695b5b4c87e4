/** Looking at a training and changing it are two keys, and only the first is in an address. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { addressOf } from "../../web/address.js";
import { createKeptModels } from "../../web/kept_models.js";
import { createMemory } from "../../web/panels/training/memory.js";
import { createOwnModels } from "../../web/own_models.js";
import { createSession } from "../../web/panels/training/session.js";
import { createStore } from "../../web/state.js";
import { modelOf } from "../../web/panels/training.js";

const ID = "0123456789abcdef".repeat(2);
const KEY = "fedcba9876543210".repeat(2);
const ANSWER = { id: ID, status: "stopped", step: 0, steps: 9, points: [[0, 1, 0, null, null]], kept: [0], trouble: null };

let memory;
let storage;
let asked;
let session;

beforeEach(() => {
  const stored = new Map();
  storage = {
    stored,
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
    removeItem: (name) => stored.delete(name),
  };
  memory = createMemory(() => storage);
  asked = [];
  const server = new Proxy(
    {},
    {
      get: (_, name) => async (request) => {
        asked.push([name, request]);
        if (name === "training_start") return { ...ANSWER, key: KEY };
        if (name !== "training_progress" && request.key !== KEY) throw new CallError("training_look_only", "for looking");
        return ANSWER;
      },
    },
  );
  session = createSession({ server }, { remember: memory.rememberTraining, onEnd() {} });
});

test("the address of what was trained holds the key for looking alone", async () => {
  await session.start({});
  const store = createStore();
  const own = createOwnModels({ store, server: {}, alert: {}, t: (key) => key, vocabularies: { sentenceFor: () => ({}) } }, createKeptModels(undefined));
  own.use(modelOf(session.get(), 0));
  const address = addressOf(store.get());
  assert.ok(address.includes(ID));
  assert.ok(!address.includes(KEY));
  assert.equal(session.get().key, KEY);
});

test("after a reload the tab that started it changes it still", async () => {
  await session.start({});
  assert.deepEqual(memory.training(), { id: ID, key: KEY });
  await session.attach(createMemory(() => storage).training());
  for (const change of ["rewind", "stop", "resume"]) {
    await session[change]("9");
    const [name, { id, key }] = asked.at(-1);
    assert.deepEqual([name, id, key], [`training_${change}`, ID, KEY]);
  }
  assert.deepEqual(memory.training(), { id: ID, key: KEY });
});

test("looking asks without the key", async () => {
  await session.attach({ id: ID, key: KEY });
  assert.deepEqual(asked, [["training_progress", { id: ID, since: 0 }]]);
});

test("who follows it with the key for looking alone is refused, and goes on looking", async () => {
  const refusals = [];
  session.onRefused((error) => refusals.push(error.code));
  await session.attach({ id: ID, key: null });
  await session.rewind();
  assert.deepEqual(refusals, ["training_look_only"]);
  assert.equal(session.get().id, ID);
  assert.equal(session.get().status, "stopped");
});

test("what is no pair of keys is not followed", () => {
  for (const text of ["x", ID, `"${ID}"`, "3", "null", "{}", '{"id": 3}']) {
    storage.setItem([...storage.stored.keys()][0] ?? "mini-gpt.training.keys", text);
    assert.equal(memory.training(), null, text);
  }
  memory.rememberTraining(null);
  assert.equal(memory.training(), null);
});
