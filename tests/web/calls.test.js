import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createServer } from "../../web/calls.js";
import { createStore } from "../../web/state.js";
import { settled } from "./page.js";

let messages;
let functions;
let server;
let store;
let settledCalls;

beforeEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  messages = [];
  settledCalls = [];
  functions = {};
  store = createStore();
  const alert = {
    show: (text, kind) => messages.push([text, kind]),
    clear: (kind) => messages.push(["cleared", kind]),
    settled: (name) => settledCalls.push(name),
  };
  server = createServer(functions, { store, alert, t: (key) => key, root: "/sub" });
});

test("a request carries the language, and the answer comes back", async () => {
  functions.view = async (request) => ({ got: request });
  store.set({ lang: "en" });
  assert.deepEqual(await server.view({ tokens: [] }), { got: { tokens: [], lang: "en" } });
});

test("an error is shown and thrown with its code", async () => {
  functions.view = async () => ({ error: { code: "unknown_word", text: "…" } });
  await assert.rejects(server.view({}), { code: "unknown_word", message: "…" });
  assert.deepEqual(messages.at(-1), ["…", "input"]);
});

test("a call that goes well takes back what the same call had complained about", async () => {
  const answer = async ({ good }) => (good ? { fine: true } : { error: { code: "count", text: "…" } });
  Object.assign(functions, { read: answer, view: answer });
  await assert.rejects(server.read({ good: false }));
  assert.deepEqual(settledCalls, []);
  await server.read({ good: true });
  await server.view({ good: true }); // what was shown before comes back by itself
  assert.deepEqual(settledCalls, ["read"]);
});

test("an error names the field it is about", async () => {
  functions.view = async () => ({ error: { code: "size", text: "…", field: "num_layers" } });
  await assert.rejects(server.view({}), { field: "num_layers" });
});

test("that PyTorch is loading is no alarm", async () => {
  functions.view = async () => ({ error: { code: "torch_loading", text: "…" } });
  await assert.rejects(server.view({}), { code: "torch_loading" });
  assert.ok(messages.every(([text]) => text === "cleared"));
});

test("a lost connection is told, looked after, and taken back when it returns", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const looks = [];
  mock.method(globalThis, "fetch", async (url) => {
    looks.push(url);
    if (looks.length === 1) throw new TypeError("refused");
    return { ok: true };
  });
  functions.view = async () => undefined;
  await assert.rejects(server.view({}), { code: "connection" });
  assert.deepEqual(messages.at(-1), ["shell.connection_lost", "connection"]);
  for (let look = 0; look < 3; look += 1) {
    mock.timers.tick(1000);
    await settled();
  }
  assert.deepEqual(looks, ["/sub/healthz", "/sub/healthz"]);
  assert.deepEqual(messages.at(-1), ["cleared", "connection"]);
});

for (const body of [{}, [], [1], "", "ok", 0, null, undefined]) {
  test(`what is no answer (${JSON.stringify(body)}) counts as a lost connection`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    functions.view = async () => body;
    await assert.rejects(server.view({}), { code: "connection" });
    assert.deepEqual(messages.at(-1), ["shell.connection_lost", "connection"]);
  });
}

test("a function that is not there is a mistake of the page's own", async () => {
  await assert.rejects(server.nothing({}), /nothing/);
});
