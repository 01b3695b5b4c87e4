import assert from "node:assert/strict";
import { test } from "node:test";

import { createLatest } from "../../web/latest.js";
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
