import assert from "node:assert/strict";
import { test } from "node:test";

import { createOnce } from "../../web/asking.js";
import { deferred, settled } from "./page.js";

test("work under way is not begun again, and both askers get its answer", async () => {
  const calls = [];
  const once = createOnce((name) => {
    calls.push(name);
    return Promise.resolve(`${name}!`);
  });
  assert.deepEqual(await Promise.all([once("a"), once("b")]), ["a!", "a!"]);
  assert.equal(await once("b"), "b!");
  assert.deepEqual(calls, ["a", "b"]);
});

test("requests that differ by their key do not wait for each other", async () => {
  const calls = [];
  const once = createOnce(
    (name) => {
      const call = { name, ...deferred() };
      calls.push(call);
      return call.promise;
    },
    (name) => name,
  );
  once("a");
  once("b");
  once("a");
  assert.deepEqual(calls.map(({ name }) => name), ["a", "b"]);
  calls[0].resolve("done");
  await settled();
  once("a");
  assert.equal(calls.length, 3);
});

test("work that failed may be begun again", async () => {
  let tries = 0;
  const once = createOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("first");
    return tries;
  });
  await assert.rejects(once(), /first/);
  assert.equal(await once(), 2);
});
