/** A sentence goes with its words: to a model of others the page goes over with another sentence. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createHistory } from "../../web/history.js";
import { createStore, LESSON_A, LESSON_B } from "../../web/state.js";
import { createVocabularies } from "../../web/vocabularies.js";

const LESSON = ["我", "喜欢", "AI", "学习", "猫"];
const POEMS = { id: "poems", words: ["床", "前", "明", "月", "光", "疑"], begins: [0, 1] };
const OWN = `own:${"ab".repeat(16)}`;

let store;
let words;

beforeEach(() => {
  store = createStore();
  const initial = { view: { model: { words: LESSON } }, models: ["teaching", "trained", "poems"], other_words: [POEMS] };
  words = createVocabularies({ store, initial });
});

const use = (model) => store.set({ model, ...words.sentenceFor(model) });

test("with the same words the sentence stays", () => {
  store.set({ tokens: [4, 1, 2] });
  assert.deepEqual(words.sentenceFor("trained"), {});
});

test("a model of other words begins with its text, and back in the lesson its sentences return", () => {
  store.set({ tokens: [4, 1, 2] });
  use("poems");
  assert.deepEqual([store.get().tokens, store.get().compare.tokens], [[0, 1], [0]]);
  store.set({ tokens: [5] });
  use("teaching");
  assert.deepEqual([store.get().tokens, store.get().compare.tokens], [[...LESSON_A], [...LESSON_B]]);
});

test("every step of a training has its words, told once", () => {
  words.know(`${OWN}-0`, ["a", "b"], [[1, 0], [0, 1]]);
  words.learn({ model: { id: `${OWN}-7`, words: ["x"] } });
  assert.deepEqual(words.words(`${OWN}-20`), ["a", "b"]);
  assert.ok(words.differ("teaching", `${OWN}-3`));
  assert.ok(!words.differ(`${OWN}-2`, `${OWN}-3`));
  use(`${OWN}-3`);
  assert.deepEqual([store.get().tokens, store.get().compare.tokens], [[1, 0], [0, 1]]);
});

test("of a model whose text is not known the sentence is empty", () => {
  words.learn({ model: { id: OWN, words: ["a", "b"] } });
  use(OWN);
  assert.deepEqual(store.get().tokens, []);
});

test("what an unknown model's sentence cannot be in the next model's words is not kept", () => {
  store.set({ model: OWN, tokens: [40, 41] });
  assert.deepEqual(words.sentenceFor("teaching").tokens, [...LESSON_A]);
  store.set({ tokens: [4, 1] });
  assert.deepEqual(words.sentenceFor("teaching"), {});
});

test("undo brings a sentence in other words back with its model", () => {
  const history = createHistory({ store, vocabularies: words });
  store.set({ tokens: [4, 1], switches: { causal_mask: false } });
  store.set({ model: "poems", edits: {}, switches: {}, ...words.sentenceFor("poems") });
  store.set({ tokens: [0, 1, 2] });
  history.undo();
  assert.deepEqual([store.get().model, store.get().tokens], ["poems", [0, 1]]);
  history.undo();
  const { model, tokens, switches, compare } = store.get();
  assert.deepEqual([model, tokens, switches, compare.tokens], ["teaching", [4, 1], { causal_mask: false }, LESSON_B]);
});
