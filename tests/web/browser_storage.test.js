import { window } from "./document.js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { afterEach, test } from "node:test";

import { createStorage } from "../../web/browser_storage.js";
import { finishedLessons, finishLesson } from "../../web/panels/lessons/kept.js";
import { createMemory } from "../../web/panels/training/memory.js";

const WEB = new URL("../../web/", import.meta.url);

function refuse() {
  throw new Error("SecurityError");
}

const REFUSING = { getItem: refuse, setItem: refuse, removeItem: refuse };
const FULL = { getItem: () => null, setItem: refuse, removeItem: () => {} };

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

test("what is written is read, null forgets, and what is no JSON is nothing", () => {
  const storage = createStorage("key");
  assert.equal(storage.read(), null);
  assert.equal(storage.write({ a: [1] }), true);
  assert.deepEqual(createStorage("key").read(), { a: [1] });
  assert.equal(storage.write(null), true);
  assert.equal(window.localStorage.getItem("key"), null);
  window.localStorage.setItem("key", "{");
  assert.equal(storage.read(), null);
});

for (const [how, storage] of [["throws", () => REFUSING], ["is full", () => FULL], ["may not be asked for", refuse]]) {
  test(`storage that ${how} stops nothing`, () => {
    assert.equal(createStorage("key", storage).read(), null);
    assert.equal(createStorage("key", storage).write(1), false);
    const memory = createMemory(storage);
    memory.rememberForm({ corpus: "我 喜欢" });
    memory.rememberTraining("a");
    memory.rememberTraining(null);
    assert.deepEqual([memory.form(), memory.training()], [null, null]);
  });
}

test("the training panel's memory and the finished lessons last", () => {
  createMemory().rememberForm({ steps: "9" });
  createMemory().rememberTraining({ id: "a", key: "k" });
  assert.deepEqual([createMemory().form(), createMemory().training()], [{ steps: "9" }, { id: "a", key: "k" }]);
  createMemory().rememberTraining(null);
  assert.equal(createMemory().training(), null);
  finishLesson("mask");
  finishLesson("mask");
  assert.deepEqual(finishedLessons(), ["mask"]);
});

test("every module stores by way of the one that is guarded", () => {
  const modules = readdirSync(WEB, { recursive: true }).filter((name) => /^(?!bundle).*\.js$/.test(name));
  const storing = modules.filter((name) =>
    /\b(?:getItem|setItem|removeItem)\b|indexedDB/.test(readFileSync(new URL(name, WEB), "utf8")),
  );
  assert.deepEqual(storing.sort(), ["browser_storage.js", "kept_models.js"]);
});
