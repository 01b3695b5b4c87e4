/** web/static against what model/ answers (tests/web/static_fixtures.py wrote it down). */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createDraws, drawNumber } from "../../web/static/draws.js";
import { InputError } from "../../web/static/errors.js";
import { createModels, lists } from "../../web/static/models.js";
import { choose, nextWord, probabilities } from "../../web/static/sampling.js";
import { createBrowserServer, difference } from "../../web/static/server.js";
import { createVocabulary } from "../../web/static/vocabulary.js";
import { STRINGS as strings } from "./strings.js";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const fixtures = read("fixtures/static.json");
const WORDS = ["我", "喜欢", "AI", "学习", "猫"];

test("the draws of a seed are NumPy's, to the last bit", () => {
  for (const { seed, numbers } of fixtures.draws) {
    const draw = createDraws(BigInt(seed));
    assert.deepEqual(numbers.map(() => draw()), numbers, seed);
    assert.equal(drawNumber(BigInt(seed), 3), numbers[3]);
  }
});

test("probabilities and the word drawn are model/sampling.py's", () => {
  for (const sample of fixtures.samples) {
    const { logits, temperature, top_k: topK, top_p: topP, seed, index } = sample;
    const shares = probabilities(logits, { temperature, topK, topP });
    shares.forEach((share, id) => {
      assert.ok(Math.abs(share - sample.probabilities[id]) < 2e-9, JSON.stringify(sample));
    });
    const settings = { mode: "sample", temperature, top_k: topK, top_p: topP };
    assert.equal(nextWord(logits, settings, seed, index), sample.next_id);
    assert.equal(nextWord(logits, { mode: "argmax" }, seed, index), sample.most_probable);
  }
});

test("temperature 0 takes the most probable word, the lowest id among equals", () => {
  const settings = { mode: "sample", temperature: 0, top_k: 0, top_p: 1 };
  assert.equal(nextWord([1, 3, 3, 0, 2], settings, 0, 0), 1);
});

test("a number beyond the last edge is the last possible word", () => {
  assert.equal(choose([0.5, 0.4999999, 0, 0, 0], 0.99999999), 1);
});

test("settings out of range are refused by the name model/ gives them", () => {
  const settings = { mode: "sample", temperature: 1, top_k: 0, top_p: 1 };
  const refused = (patch, seed = 0) => {
    try {
      return nextWord([1, 2, 3, 4, 5], { ...settings, ...patch }, seed, 0);
    } catch (error) {
      assert.ok(error instanceof InputError);
      return error.code;
    }
  };
  assert.equal(refused({ temperature: -1 }), "temperature");
  assert.equal(refused({ temperature: "warm" }), "temperature");
  assert.equal(refused({ temperature: "" }), "temperature");
  assert.equal(refused({ top_k: 1.5 }), "top_k");
  assert.equal(refused({ top_p: 0 }), "top_p");
  assert.equal(refused({ top_p: 1.1 }), "top_p");
  for (const seed of [-1, 1.5, "", "x", "9223372036854775808"]) {
    assert.equal(refused({}, seed), "seed", String(seed));
  }
  assert.equal(typeof refused({ temperature: "0.5", top_k: "2" }, "7"), "number");
});

test("text is read as model/vocabulary.py reads it, errors and their places included", () => {
  readAs(createVocabulary({ words: WORDS }), fixtures.texts);
  for (const { words, unit, texts } of fixtures.vocabularies) {
    readAs(createVocabulary({ words, unit }), texts);
  }
});

function readAs(vocabulary, texts) {
  for (const { text, tokens, error } of texts) {
    let found;
    try {
      found = { tokens: vocabulary.encode(text) };
    } catch (thrown) {
      const said = { zh: thrown.text(strings, "zh"), en: thrown.text(strings, "en") };
      found = { error: { code: thrown.code, ...said } };
    }
    assert.deepEqual(found, error ? { error } : { tokens }, JSON.stringify(text));
  }
}

test("a tensor becomes nested lists without the batch axis, minus infinity null", () => {
  const data = Float32Array.from([1, -Infinity, 2, 3]);
  assert.deepEqual(lists({ data, dims: [1, 2, 2] }, ["B", "T", "T"]), [[1, null], [2, 3]]);
  assert.deepEqual(lists({ data, dims: [2, 2] }, ["T", "C"]), [[1, null], [2, 3]]);
});

function server({ run, expected = async () => ({ state: "missing" }) } = {}) {
  const config = { vocab_size: 5, context_length: 2 };
  const descriptions = { teaching: { id: "teaching", words: WORDS, config, axes: { logits: ["B"] } } };
  const models = createModels({ descriptions, files: "", loadRuntime: async () => ({}) });
  const limits = { tokens: 4, text: 10 };
  const runs = run ?? (async (_, window) => trace(window));
  return createBrowserServer({ models: { ...models, run: runs }, strings, limits, expected });
}

/** The next word is always the one after the last. */
function trace(window) {
  const row = (id) => WORDS.map((_, word) => (word === (id + 1) % 5 ? 2 : 0));
  return { logits: window.map(row), vocabulary_probs: window.map(row) };
}

test("a view has the window, the last position's numbers, and no numbers without words", async () => {
  const { view } = server();
  const shown = await view({ tokens: [0, 1, 2], model: "teaching", engine: "browser" });
  assert.deepEqual(shown.window, [1, 2]);
  assert.equal(shown.window_start, 1);
  assert.deepEqual(shown.logits, [0, 0, 0, 2, 0]);
  assert.equal(shown.engine, "browser");
  assert.deepEqual(Object.keys(shown.model), ["id", "words", "unit", "config"]);
  const empty = await view({ tokens: [], model: "teaching" });
  assert.deepEqual([empty.trace, empty.logits, empty.probabilities], [null, null, null]);
});

test("a step appends the model's word and gives the longer sentence's view", async () => {
  const answer = await server().step({ tokens: [0, 1], sampling: { mode: "argmax" }, seed: 0 });
  assert.equal(answer.next_id, 2);
  assert.deepEqual(answer.view.tokens, [0, 1, 2]);
  assert.deepEqual(answer.view.window, [1, 2]);
});

test("bad input is an answer in the page's language", async () => {
  const { view, step, read: readText } = server();
  const code = async (promise) => (await promise).error?.code;
  assert.equal(await code(view({ tokens: [5] })), "ids_range");
  assert.equal(await code(view({ tokens: [0.5] })), "ids_dtype");
  assert.equal(await code(view({ tokens: [0, 0, 0, 0, 0] })), "token_limit");
  assert.equal(await code(view({ tokens: [0], model: "other" })), "choice");
  assert.equal(await code(view({ tokens: [0], switches: { causal_mask: false } })), "browser_changes");
  assert.equal(await code(step({ tokens: [] })), "empty_prompt");
  assert.equal(await code(step({ tokens: [0, 0, 0, 0] })), "token_limit");
  assert.equal(await code(readText({ text: "我".repeat(11) })), "text_length");
  const { error } = await readText({ text: "狗", lang: "en" });
  assert.match(error.text, /is not a word of this model/);
  const chinese = await readText({ text: "狗", lang: "zh" });
  assert.match(chinese.error.text, /不在词表里/);
});

test("differences compare with what PyTorch gave, value by value", async () => {
  const given = trace([0, 1]);
  const off = { ...given, logits: given.logits.map((row) => row.map((value) => value + 1e-7)) };
  const close = await server({ expected: async () => ({ state: "ready", values: off }) }).differences({ tokens: [0, 1] });
  assert.equal(close.state, "ready");
  assert.equal(close.largest.name, "logits");
  assert.ok(close.values.every((value) => value.ok));
  const far = difference("logits", [[1, null]], [[2, null]]);
  assert.deepEqual([far.max_abs, far.ok, far.differing], [1, false, 1]);
  assert.equal(difference("scores", [[1, null]], [[1, 2]]).ok, false);
  const none = await server().differences({ tokens: [0, 1] });
  assert.deepEqual(none, { state: "missing", values: [], largest: null });
});

test("what cannot be fetched is a lost connection, to the page", async () => {
  const reported = [];
  globalThis.window = { reportError: (error) => reported.push(error) };
  const { view } = server({ run: async () => Promise.reject(new Error("no file")) });
  assert.equal(await view({ tokens: [0] }), undefined);
  assert.equal(reported.length, 1);
  delete globalThis.window;
});
