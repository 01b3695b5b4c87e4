import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { CallError } from "../../web/calls.js";
import { createSession, isActive, pauseAfter } from "../../web/panels/training/session.js";
import { deferred, settled } from "./page.js";

let asked;
let answers;
let remembered;
let ended;
let session;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  asked = [];
  answers = [];
  remembered = [];
  ended = [];
  const server = new Proxy(
    {},
    {
      get: (_, name) => async (request) => {
        asked.push([name, request]);
        const next = answers.shift();
        if (next instanceof Error) throw next;
        return next;
      },
    },
  );
  session = createSession({ server }, { remember: (keys) => remembered.push(keys), onEnd: (made) => ended.push(made.step) });
});

function point(step) {
  return [step, 1, 0.5, null, null];
}

function answer(status, from, to, more = {}) {
  const points = [];
  for (let step = from; step <= to; step += 1) points.push(point(step));
  return { id: "a", status, step: to, steps: 9, points, kept: points.map(([step]) => step), trouble: null, ...more };
}

async function poll() {
  mock.timers.tick(300);
  await settled();
}

test("a training is followed until it rests, each point asked for once", async () => {
  answers = [answer("starting", 0, -1, { step: 0 }), answer("running", 0, 3), answer("running", 4, 6), answer("finished", 7, 9)];
  await session.start({ steps: 9 });
  await poll();
  await poll();
  await poll();
  await poll();
  assert.deepEqual(asked.map(([name, { since }]) => [name, since]), [
    ["training_start", 0],
    ["training_progress", 0],
    ["training_progress", 4],
    ["training_progress", 7],
  ]);
  assert.deepEqual(session.get().points.map(([step]) => step), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(ended, [9]);
  assert.equal(isActive(session.get()), false);
});

test("a curve that goes on from an earlier step loses what came after", async () => {
  answers = [answer("lost", 0, 7, { key: "k" })];
  await session.start({});
  answers = [answer("running", 5, 6)];
  await session.resume("20");
  assert.deepEqual(asked.at(-1), ["training_resume", { id: "a", key: "k", steps: "20", since: 8 }]);
  assert.deepEqual(session.get().points.map(([step]) => step), [0, 1, 2, 3, 4, 5, 6]);
});

test("rewinding leaves the first point alone", async () => {
  answers = [answer("stopped", 0, 7), answer("stopped", 0, 0)];
  await session.start({});
  await session.rewind();
  assert.deepEqual(session.get().points, [point(0)]);
  assert.equal(session.get().step, 0);
});

test("a lost connection is waited out, nothing is lost", async () => {
  answers = [answer("running", 0, 3), new CallError("connection", "lost"), answer("finished", 4, 9)];
  await session.start({});
  await poll();
  assert.equal(session.get().status, "running");
  mock.timers.tick(1500);
  await settled();
  assert.equal(session.get().status, "finished");
  assert.equal(session.get().points.length, 10);
});

test("a server that no longer knows it: the curve stays, the id is forgotten", async () => {
  answers = [answer("running", 0, 3), new CallError("training_unknown", "gone")];
  await session.start({});
  await poll();
  assert.equal(session.get().status, "gone");
  assert.equal(session.get().points.length, 4);
  assert.deepEqual(remembered, [{ id: "a", key: null }, null]);
  assert.deepEqual(ended, []);
  await poll();
  assert.equal(asked.length, 2);
});

test("what the server refuses to train changes nothing", async () => {
  answers = [new CallError("queue_full", "full")];
  await session.start({});
  assert.equal(session.get(), null);
});

test("a training of an earlier visit is followed again", async () => {
  answers = [answer("running", 0, 3), answer("finished", 4, 9)];
  await session.attach({ id: "a", key: "k" });
  await poll();
  assert.equal(session.get().step, 9);
  answers = [new CallError("training_unknown", "gone")];
  await session.attach({ id: "b", key: "k" });
  assert.equal(remembered.at(-1), null);
  assert.equal(session.get().id, "a");
  answers = [answer("stopped", 0, 0)];
  await session.rewind();
  assert.deepEqual(asked.at(-1), ["training_rewind", { id: "a", key: "k", since: 0 }]);
});

test("a training of an earlier visit does not come back over one that was started meanwhile", async () => {
  const late = deferred();
  answers = [late.promise, answer("running", 0, 2, { id: "b", key: "kb" })];
  const attaching = session.attach({ id: "a", key: "k" });
  await session.start({ steps: 9 });
  late.resolve(answer("running", 0, 7));
  await attaching;
  assert.equal(session.get().id, "b");
  assert.deepEqual(remembered.at(-1), { id: "b", key: "kb" });
});

test("until the server has answered, a second click asks for nothing", async () => {
  const drawn = [];
  session.subscribe(() => drawn.push(session.isAsking()));
  answers = [answer("starting", 0, -1, { step: 0 })];
  await Promise.all([session.start({ steps: 9 }), session.start({ steps: 9 })]);
  assert.deepEqual(asked.map(([name]) => name), ["training_start"]);
  assert.deepEqual(drawn, [true, false]);
  answers = [new CallError("connection", "lost")];
  await session.stop();
  assert.equal(session.isAsking(), false);
  answers = [answer("stopped", 0, 3)];
  await session.stop();
  assert.equal(session.get().status, "stopped");
});

test("where it stood before a stop is not told after it", async () => {
  answers = [answer("running", 0, 3)];
  await session.start({ steps: 9 });
  const late = deferred();
  answers = [late.promise, answer("stopped", 4, 6)];
  mock.timers.tick(300); // a poll, still without an answer
  await session.stop();
  late.resolve(answer("running", 4, 5));
  await settled();
  assert.equal(session.get().status, "stopped");
  assert.equal(session.get().step, 6);
  assert.deepEqual(ended, [6]);
  await poll();
  assert.equal(asked.length, 3);
});

test("a mistake in this page's own code is not hidden", async () => {
  answers = [new TypeError("mine")];
  await assert.rejects(session.start({}), TypeError);
});

test("ten answers a second where one takes up to 100 ms; slower ones are given a rest", () => {
  for (const took of [0, 10, 40, 80, 100]) assert.equal(took + pauseAfter(took), 100);
  assert.equal(pauseAfter(150), 150);
  for (const took of [200, 1000]) assert.equal(pauseAfter(took), 300);
});
