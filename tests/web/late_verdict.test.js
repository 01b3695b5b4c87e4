import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createAnswer } from "../../web/working/answer.js";
import { createBook } from "../../web/working/book.js";
import { createTask } from "../../web/panels/lessons/task.js";
import { createStore } from "../../web/state.js";
import { deferred, settled } from "./page.js";

const LOGITS = { key: "logits", name: "logits", axes: [], traced: true };

/** A server that answers when the test says so. */
function slowServer() {
  const calls = [];
  const answer = (request) => {
    const call = { request, ...deferred() };
    calls.push(call);
    return call.promise;
  };
  return { calls, server: { check_answer: answer, check_lesson: answer } };
}

function type(element, text) {
  element.querySelector("input").value = text;
  element.dispatchEvent(new element.ownerDocument.defaultView.Event("submit", { cancelable: true }));
}

/** Two answers are given; the verdict of the first comes last. */
async function givenTwo(element, calls) {
  type(element, "1");
  type(element, "2");
  assert.deepEqual(calls.map(({ request }) => request.answer), ["1", "2"]);
  calls[1].resolve({ grade: "right", hint: null });
  await settled();
  calls[0].resolve({ grade: "wrong", hint: null });
  await settled();
  return element.querySelector("[role=status]").dataset.grade;
}

test("the verdict on a hidden cell is that of the answer given last", async () => {
  const { calls, server } = slowServer();
  const app = { server, store: createStore(), t: (key) => key };
  const answer = createAnswer(app, { right() {}, reveal() {} });
  const texts = { values: { logits: { en: "logits" } }, stages: {} };
  const book = createBook({ stages: [{ name: "logits", block: null, values: [LOGITS], weights: [] }], sizes: {}, texts });
  answer.update("logits", [], { book, lang: "en", words: [], window: [], t: app.t });
  assert.equal(await givenTwo(answer.element, calls), "right");
});

test("the verdict on a lesson's task is that of the answer given last", async () => {
  const { calls, server } = slowServer();
  let right = 0;
  const task = createTask({ server, t: (key) => key }, () => (right += 1));
  task.begin("mask");
  task.draw("done");
  assert.equal(await givenTwo(task.element, calls), "right");
  assert.equal(right, 1);
});
