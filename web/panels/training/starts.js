/** What a training starts from: random weights, or those set by hand. */

import { createSegmented } from "../../segmented.js";

const STARTS = ["random", "teaching"];

/** @param {(start: string) => void} onChoice called when a person chooses */
export function createStarts(t, onChoice) {
  const choice = createSegmented(STARTS, (chosen) => {
    start = chosen;
    onChoice(chosen);
  });
  let start = STARTS[0];
  return {
    element: choice.element,
    get: () => start,
    set(value) {
      start = value;
    },
    /** @param {boolean} isOwn a text in other words than the hand-set weights have: only from random ones */
    update(isOwn) {
      choice.update({
        legend: t("training.start_from"),
        labels: Object.fromEntries(STARTS.map((name) => [name, t(`training.start_${name}`)])),
        chosen: start,
        disabled: isOwn ? ["teaching"] : [],
      });
    },
  };
}
