/** What the page asks of the server goes over the network; whatever is no answer is undefined. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { createServerFunctions } from "../../web/server_functions.js";

const OFFERED = { component: 7, names: ["view", "step"] };

/** The functions over a network that answers with `answer`, and what was sent. */
function over(answer) {
  const sent = [];
  globalThis.fetch = async (address, { body }) => {
    sent.push([address, JSON.parse(body)]);
    return answer();
  };
  return { functions: createServerFunctions("/gpt", OFFERED), sent };
}

test("a call is sent to Gradio's component, and its answer comes back", async () => {
  const { functions, sent } = over(() => ({ ok: true, json: async () => ({ trace: 1 }) }));
  assert.deepEqual(Object.keys(functions), ["view", "step"]);
  assert.deepEqual(await functions.view({ tokens: [0] }), { trace: 1 });
  await functions.step({ tokens: [1] });
  const [[address, first], [, second]] = sent;
  assert.equal(address, "/gpt/gradio_api/component_server");
  assert.deepEqual([first.data, first.component_id, first.fn_name], [{ tokens: [0] }, 7, "view"]);
  assert.equal(first.session_hash, second.session_hash);
  assert.ok(first.session_hash.length > 8);
});

test("an open page is one session, another page another", () => {
  const hashes = [1, 2].map(async () => {
    const { functions, sent } = over(() => ({ ok: true, json: async () => ({}) }));
    await functions.view({});
    return sent[0][1].session_hash;
  });
  return Promise.all(hashes).then(([one, other]) => assert.notEqual(one, other));
});

for (const [name, answer] of Object.entries({
  "a network that is down": () => { throw new TypeError("Failed to fetch"); },
  "a proxy's own page": () => ({ ok: true, json: async () => JSON.parse("<html>") }),
  "an error of something between": () => ({ ok: false, json: async () => ({ error: "bad gateway" }) }),
})) {
  test(`${name} is no answer`, async () => {
    assert.equal(await over(answer).functions.view({}), undefined);
  });
}
