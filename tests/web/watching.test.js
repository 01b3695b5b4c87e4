/** Steps of a training on the map: asked for one at a time, shown over the page's own view. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createStore } from "../../web/state.js";
import { createWatching } from "../../web/watching.js";
import { deferred, settled } from "./page.js";

const OWN_VIEW = { tokens: [0, 1], model: { id: "teaching" }, trace: {} };
let asked;
let store;
let watching;
let told;

beforeEach(() => {
  asked = [];
  told = 0;
  store = createStore({ tokens: [0, 1], model: "teaching" });
  const view = (request) => {
    const promised = deferred();
    asked.push({ request, promised });
    return promised.promise;
  };
  watching = createWatching({ store, server: { view }, veil: { over: (shown) => ({ ...shown, veiled: true }) } });
  watching.subscribe(() => (told += 1));
});

const step = (number, more = {}) => ({ model: `own:a-${number}`, isOnMap: true, text: `step ${number}`, place: number, count: 9, ...more });
const viewOf = ({ tokens, model }) => ({ tokens, model: { id: model }, trace: {} });

async function answer(at) {
  asked[at].promised.resolve(viewOf(asked[at].request));
  await settled();
}

test("one question at a time, each answer shown, and the newest asked for next", async () => {
  for (const number of [1, 2, 3, 4]) watching.offer(step(number));
  assert.deepEqual(asked.map(({ request }) => request.model), ["own:a-1"]);
  assert.equal(watching.over(OWN_VIEW), OWN_VIEW);
  await answer(0);
  assert.equal(watching.over(OWN_VIEW).model.id, "own:a-1");
  assert.deepEqual(asked.map(({ request }) => request.model), ["own:a-1", "own:a-4"]);
  await answer(1);
  assert.equal(watching.over(OWN_VIEW).model.id, "own:a-4");
  assert.ok(watching.over(OWN_VIEW).veiled, "what a learner has hidden stays hidden");
  assert.equal(asked.length, 2);
  assert.ok(told >= 6, "told of every offer and every answer");
});

test("where the page itself has the step, or the map is left, its own view is shown", async () => {
  watching.offer(step(1));
  await answer(0);
  watching.offer(step(1, { isOnMap: false }));
  assert.equal(watching.over(OWN_VIEW), OWN_VIEW);
  watching.offer(step(1));
  assert.equal(watching.over(OWN_VIEW).model.id, "own:a-1");
  store.set({ model: "own:a-1" });
  assert.equal(watching.over(OWN_VIEW).model.id, "own:a-1", "until the page has its view of it");
  const pages = { ...OWN_VIEW, model: { id: "own:a-1" } };
  assert.equal(watching.over(pages), pages);
  watching.offer(null);
  assert.equal(watching.offered(), null);
  assert.equal(asked.length, 1);
});

test("another sentence is asked for, and the old one's values are not shown for it", async () => {
  watching.offer(step(1));
  await answer(0);
  store.set({ tokens: [4, 1] });
  const now = { ...OWN_VIEW, tokens: [4, 1] };
  assert.equal(watching.over(now), now);
  assert.deepEqual(asked.at(-1).request, { tokens: [4, 1], model: "own:a-1", engine: "torch" });
  await answer(1);
  assert.equal(watching.over(now).model.id, "own:a-1");
  store.set({ tokens: [] });
  const empty = { ...OWN_VIEW, tokens: [], trace: null };
  assert.equal(watching.over(empty), empty);
  assert.equal(asked.length, 2);
});
