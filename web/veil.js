/**
 * Practice: hides the results that the learner has not worked out yet.
 *
 * A stage that hides its results also hides those of later stages: a later value may be the same
 * number carried on, and the bars follow from all of them. Values that were worked out, or shown
 * on request, are visible. Panels about other sentences are covered as a whole (cover.js).
 */

import { createProgress } from "./working/progress.js";
import { stagesOf } from "./map/stages.js";

const HIDDEN = NaN; // stands in a veiled view where a number is hidden; see `numberOrMark` in format.js
const FIRST_STAGE = "residual_0"; // a stage of three values, named by its last

/** @param {object} [progress] what was worked out, and which stages are hidden */
export function createVeil({ store, viewer, initial }, progress = createProgress()) {
  const revealed = new Set(); // shown without having been worked out; not kept
  let guessed = []; // stages hidden for a moment, until they have been guessed; not kept
  const subscribers = new Set();
  let changes = 0;
  let last = null; // {view, id, veiled}

  const idOf = (window, key, cell) => JSON.stringify([window, key, cell]);

  function tell() {
    changes += 1;
    for (const subscriber of subscribers) subscriber();
  }

  const isOpen = (window, key, cell) =>
    progress.isSolved(store.get(), window, key, cell) || revealed.has(idOf(window, key, cell));

  /** The keys of the trace from the first stage on that hides its results. */
  function hiddenKeys({ model, window }) {
    const keys = stagesOf(model.config, window.length).map(({ key }) => key);
    const places = [...progress.hiddenStages(), ...guessed]
      .map((stage) => (stage === FIRST_STAGE ? 0 : keys.indexOf(stage)))
      .filter((place) => place >= 0);
    return places.length ? keys.slice(Math.min(...places)) : [];
  }

  function veiled(view) {
    const keys = new Set(hiddenKeys(view));
    return keys.size ? viewWithout(view, keys, isOpen) : view;
  }

  function setHidden(stages, isHidden) {
    revealed.clear();
    for (const stage of stages) progress.setHidden(stage, isHidden);
    tell();
  }

  return {
    progress,
    isOpen,
    /** Whether this stage hides its results, by itself. */
    isHidden: (stage) => progress.isHidden(stage) || guessed.includes(stage),
    /** Whether this network has a stage that hides its results; of every sentence, so even of none. */
    isOn: () => !initial.without_server && hiddenKeys(viewer.view()).length > 0,
    /** How often what is hidden has changed. */
    changes: () => changes,
    /** Called after every change of what is hidden. */
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** `view` without what is hidden; the same one as long as nothing changes. */
    over(view) {
      if (!view.trace || initial.without_server) return view; // where nobody practises
      const { model, edits, switches } = store.get();
      const id = JSON.stringify([changes, model, edits, switches]);
      if (last?.view !== view || last.id !== id) last = { view, id, veiled: veiled(view) };
      return last.veiled;
    },
    setHidden,
    /** Hide these stages too, and no others that were hidden in this way. */
    hideForNow(stages) {
      if (`${stages}` === `${guessed}`) return;
      revealed.clear();
      guessed = stages;
      tell();
    },
    /** Nothing is hidden any more. */
    show() {
      guessed = [];
      setHidden(progress.hiddenStages(), false);
    },
    solve(window, key, cell) {
      progress.solve(store.get(), window, key, cell);
      tell();
    },
    reveal(window, key, cell) {
      revealed.add(idOf(window, key, cell));
      tell();
    },
    forget() {
      progress.forget();
      tell();
    },
  };
}

/** `view` with NaN for the numbers of the values `keys`, but for the cells that are open. */
function viewWithout(view, keys, isOpen) {
  const over = (trace) =>
    trace &&
    Object.fromEntries(
      Object.entries(trace).map(([key, values]) => [
        key,
        keys.has(key) ? mapped(values, (value, cell) => (isOpen(view.window, key, cell) ? value : HIDDEN)) : values,
      ]),
    );
  const trace = over(view.trace);
  const unlessHidden = (row) => (row.some(Number.isNaN) ? null : row);
  return {
    ...view,
    trace,
    baseline: over(view.baseline),
    logits: unlessHidden(trace.logits.at(-1)),
    probabilities: unlessHidden(trace.vocabulary_probs.at(-1)),
  };
}

function mapped(part, change, cell = []) {
  if (!Array.isArray(part)) return change(part, cell);
  return part.map((inner, index) => mapped(inner, change, [...cell, index]));
}
