/**
 * The cells a learner has solved, and the stages that hide their results; stored in this browser.
 * Without storage (private mode) only a reload loses them.
 */

import { createStorage } from "../browser_storage.js";

/** @param {object} [storage] of a `createStorage` */
export function createProgress(storage = createStorage("mini-gpt.practice")) {
  const found = storage.read();
  let kept = isProgress(found) ? found : { hidden: [], solved: {} };

  const save = () => storage.write(kept);

  /** Key of one sentence in one network, including edits and switches. */
  const place = ({ model, edits, switches }, window) =>
    JSON.stringify([model, window, edits, switches]);

  const solvedOf = (where, key) => kept.solved[where]?.[key] ?? [];

  return {
    /** Keys of the stages that hide their results. */
    hiddenStages: () => kept.hidden,
    isHidden: (stage) => kept.hidden.includes(stage),
    setHidden(stage, isHidden) {
      const others = kept.hidden.filter((each) => each !== stage);
      kept = { ...kept, hidden: isHidden ? [...others, stage] : others };
      save();
    },
    isSolved: (state, window, key, cell) =>
      solvedOf(place(state, window), key).includes(cell.join(",")),
    countSolved: (state, window, key) => solvedOf(place(state, window), key).length,
    countAll: () =>
      Object.values(kept.solved)
        .flatMap((keys) => Object.values(keys))
        .reduce((count, cells) => count + cells.length, 0),
    solve(state, window, key, cell) {
      const where = place(state, window);
      const before = solvedOf(where, key);
      const id = cell.join(",");
      if (before.includes(id)) return;
      const keys = { ...kept.solved[where], [key]: [...before, id] };
      kept = { ...kept, solved: { ...kept.solved, [where]: keys } };
      save();
    },
    forget() {
      kept = { ...kept, solved: {} };
      save();
    },
  };
}

function isProgress(found) {
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  return (
    isObject(found) &&
    Array.isArray(found.hidden) &&
    isObject(found.solved) &&
    Object.values(found.solved).every(
      (keys) => isObject(keys) && Object.values(keys).every(Array.isArray),
    )
  );
}
