import assert from "node:assert/strict";
import { test } from "node:test";

import { answered, createLatest, PASSING } from "../../web/asking.js";
import { deferred, settled } from "./page.js";

function server() {
  const calls = [];
  const shown = [];
  const ask = createLatest(
    (question) => {
      const call = { question, ...deferred() };
      calls.push(call);
      return call.promise;
    },
    (answer) => shown.push(answer),
  );
  return { calls, shown, ask };
}

test("the same question is asked once", async () => {
  const { calls, shown, ask } = server();
  ask({ tokens: [0] });
  ask({ tokens: [0] });
  calls[0].resolve("a");
  await settled();
  ask({ tokens: [0] });
  assert.equal(calls.length, 1);
  assert.deepEqual(shown, ["a"]);
});

test("an answer that comes after a newer question is dropped", async () => {
  const { calls, shown, ask } = server();
  ask({ tokens: [0] });
  ask({ tokens: [1] });
  calls[1].resolve("new");
  await settled();
  calls[0].resolve("old");
  await settled();
  assert.deepEqual(shown, ["new"]);
});

test("a refused question is asked again by the next update; an unforeseen error is thrown", async () => {
  const { calls, ask } = server();
  const refused = ask({ tokens: [0] });
  calls[0].reject(Object.assign(new Error("no"), { code: "busy" }));
  await refused;
  const broken = ask({ tokens: [0] });
  assert.equal(calls.length, 2);
  calls[1].reject(new TypeError("a mistake of ours"));
  await assert.rejects(broken, TypeError);
});

test("a refusal that passes is asked again by itself, any other by the next update", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let code = "torch_loading";
  const asked = [];
  const shown = [];
  const ask = createLatest(
    async (question) => {
      asked.push(question);
      if (code) throw Object.assign(new Error(code), { code });
      return "answer";
    },
    (answer) => shown.push(answer),
    PASSING,
  );
  await ask({ at: 1 });
  code = "own_unknown";
  t.mock.timers.tick(1000);
  await settled();
  assert.deepEqual([asked.length, shown], [2, []]);
  t.mock.timers.tick(10_000);
  await settled();
  assert.equal(asked.length, 2);
  code = null;
  await ask({ at: 1 });
  assert.deepEqual([asked.length, shown], [3, ["answer"]]);
});

test("what is refused is null, what breaks goes on", async () => {
  const refused = Promise.reject(Object.assign(new Error("no"), { code: "count" }));
  assert.equal(await answered(refused), null);
  assert.deepEqual(await answered(Promise.resolve({ a: 1 })), { a: 1 });
  await assert.rejects(answered(Promise.reject(new TypeError("broken"))), TypeError);
});
