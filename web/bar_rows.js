/** What tables of next-word bars have in common: the order of their rows, and the row of the rest. */

import { el, setText } from "./dom.js";
import { number } from "./format.js";

/** Word ids in the order of the rows: as in the vocabulary, unless only `shown` of them have a row. */
export function orderOf(words, probabilities, shown) {
  const ids = words.map((_, id) => id);
  if (words.length <= shown || !probabilities) return ids;
  return ids.sort((one, other) => probabilities[other] - probabilities[one]);
}

/** The words that have no row of their own, together; `after`: cells at the end of the row. */
export function createRest(...after) {
  const name = el("th", { scope: "row", colspan: 2, class: "mg-bar-rest" });
  const probability = el("td", { class: "mg-number mg-probability" });
  return {
    element: el("tr", {}, name, probability, after),
    /** @param {(number|undefined)[]} shares undefined where they are not known or hidden */
    update(shares, t) {
      setText(name, t("shell.other_words", { count: shares.length }));
      const isKnown = shares.every((share) => share !== undefined);
      setText(probability, isKnown ? number(shares.reduce((sum, share) => sum + share, 0)) : "—");
    },
  };
}
