/**
 * The state of the page: the sentence, the settings, what is open. It lives in this page only;
 * the server stores none of it.
 */

/** 我 喜欢 and 猫 喜欢: the prompts the lesson compares. The first is what a first visit shows. */
export const LESSON_A = Object.freeze([0, 1]);
export const LESSON_B = Object.freeze([4, 1]);

/** The state of a first visit. */
export const DEFAULT_STATE = Object.freeze({
  tokens: LESSON_A,
  drawn: 0, // how many of the last tokens the model appended itself: the next draw's row
  engine: "onnxruntime",
  lang: "zh",
  model: "teaching",
  stage: null,
  cell: null,
  film: null, // the stop of the open film (film/timeline.js), from 0
  edits: {},
  switches: {},
  sampling: { mode: "argmax", temperature: 1, top_k: 0, top_p: 1, seed: 0 },
  panel: null,
  tour: null, // the step of the tour that is shown, from 0
  compare: { kind: "sentence", tokens: LESSON_B, model: null }, // B, beside which A is laid
});

/**
 * A store with one state object that is replaced, never changed.
 *
 * `set(patch)` does nothing when no key changes; tokens set without `drawn` were chosen by the
 * user, so `drawn` becomes 0. `subscribe(fn)` calls `fn(state, previous)` after every change and returns
 * the function that ends it.
 */
export function createStore(initial = DEFAULT_STATE) {
  let state = { ...DEFAULT_STATE, ...initial };
  const subscribers = new Set();
  return {
    get: () => state,
    set(patch) {
      const changed = Object.keys(patch).some((key) => !Object.is(state[key], patch[key]));
      if (!changed) return;
      const previous = state;
      const drawn = "tokens" in patch && !("drawn" in patch) ? { drawn: 0 } : {};
      state = { ...state, ...patch, ...drawn };
      for (const subscriber of [...subscribers]) subscriber(state, previous);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
