/**
 * The words of the lesson in the language of the page, for who reads none of theirs: "cat" for 猫.
 * A language may have none (languages/zh), and so may a model's own words.
 */

import { setAttribute } from "./dom.js";

const SAME = "\u00a0"; // an empty line, so that words beside one another stay aligned

/**
 * @param {string} word
 * @param {object} t the translator; `t.glosses()` are those of the present language
 * @returns {string|null} null too where it is the same word
 */
export function glossOf(word, t) {
  const table = tableOf(t);
  return Object.hasOwn(table, word) && table[word] !== word ? table[word] : null;
}

/** The word with its gloss, for tooltips and accessible names: 猫 “cat”. */
export function withGloss(word, t) {
  const gloss = glossOf(word, t);
  return gloss === null ? word : `${word} “${gloss}”`;
}

/** Have the style sheet show the gloss of `word` after the text of `element`. */
export function showGloss(element, word, t) {
  const isListed = Object.hasOwn(tableOf(t), word);
  setAttribute(element, "data-gloss", isListed ? (glossOf(word, t) ?? SAME) : null);
}

function tableOf(t) {
  return t.glosses?.() ?? {};
}
