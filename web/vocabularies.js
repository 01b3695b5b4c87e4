/**
 * Which words each model has, as far as this page knows. A sentence means something in the words
 * it was written in: with a model of other words, the page begins a sentence of that model's text.
 */

import { LESSON_A, LESSON_B } from "./state.js";

const STEP = /-\d+$/; // `own:<key>-<step>`: every step of a training has the same words

export function createVocabularies({ store, initial }) {
  const known = new Map();
  const of = (id) => known.get(familyOf(id)) ?? null;
  const lesson = entry(initial.view.model.words, [LESSON_A, LESSON_B]);
  for (const id of initial.models) known.set(id, lesson);
  for (const { id, words, begins } of initial.other_words ?? []) know(id, words, [begins]);

  /** @param {number[][]} begins sentences that its text begins with, as ids */
  function know(id, words, begins) {
    if (of(id)?.words !== words) known.set(familyOf(id), entry(words, begins));
  }

  /** Whether two models are known to have different words. */
  function differ(one, other) {
    const [first, second] = [of(one), of(other)];
    return Boolean(first && second) && first.key !== second.key;
  }

  return {
    know,
    differ,
    /** What `view` tells of its model. */
    learn({ model: { id, words, begins } }) {
      if (!of(id)) know(id, words, begins?.length ? [begins] : []);
    },
    /** The words of a model; null if they are not known yet. */
    words: (id) => of(id)?.words ?? null,
    /** Whether a model has the lesson's words. */
    isLessons: (id) => of(id)?.key === lesson.key,
    /** The first words of a model's text; empty if they are not known. */
    beginning: (id) => [...(of(id)?.begins[0] ?? [])],
    /** What to change in the state, beside the model, where the page goes over to `model`. */
    sentenceFor(model) {
      const { model: present, tokens, compare } = store.get();
      const next = of(model);
      const isUnsayable = next && !of(present) && tokens.some((id) => id >= next.words.length);
      if (!isUnsayable && !differ(present, model)) return {};
      const [first = [], second = first.slice(0, 1)] = next.begins;
      return { tokens: [...first], compare: { ...compare, tokens: [...second] } };
    },
  };
}

function entry(words, begins) {
  return { words, begins, key: JSON.stringify(words) };
}

function familyOf(id) {
  return id.startsWith("own:") ? id.replace(STEP, "") : id;
}
