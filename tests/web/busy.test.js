/** A server with too many people: the call is made again, and the person reads why it takes long. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { createServer } from "../../web/calls.js";

const BUSY = { error: { code: "busy", text: "…" } };

function serverThatIsBusy(times) {
  const shown = [];
  let asked = 0;
  const server = createServer(
    { view: async () => (++asked > times ? { tokens: [0] } : BUSY) },
    {
      store: { get: () => ({ lang: "en" }) },
      alert: { show: (text, kind) => shown.push([text, kind]), clear: () => shown.push("cleared"), settled() {} },
      t: (key) => key,
      root: "",
    },
  );
  return { server, shown, asked: () => asked };
}

async function letTimePass(seconds) {
  for (let step = 0; step < seconds * 10; step++) {
    mock.timers.tick(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a busy server is asked again until it answers, and the message goes away", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { server, shown, asked } = serverThatIsBusy(3);
  const answer = server.view({ tokens: [0] });
  await letTimePass(10);
  assert.deepEqual(await answer, { tokens: [0] });
  assert.equal(asked(), 4);
  assert.deepEqual(shown, [...Array(3).fill(["error.busy", "connection"]), "cleared"]);
});

test("a server that stays busy is given up, with its text", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { server, asked } = serverThatIsBusy(Infinity);
  const answer = assert.rejects(server.view({ tokens: [0] }), { code: "busy" });
  await letTimePass(60);
  await answer;
  assert.ok(asked() >= 10 && asked() <= 60, `asked ${asked()} times in a minute`);
});
