/** What was found in a text: its sentences, its lowest loss, and its words with their counts. */

import { el, replace, setText } from "../../dom.js";
import { number } from "../../format.js";

export function createFound(t) {
  const about = el("p", { class: "mg-note mg-corpus-about", role: "status" });
  const words = el("p", { class: "mg-note" });
  const counts = el("ul", { class: "mg-corpus-words" });
  return {
    element: el("div", { class: "mg-corpus-found" }, about, words, counts),
    /** @param {object|null} worth the answer of `training_corpus`; isOwn: with words of its own */
    update(worth, isOwn) {
      setText(about, worth ? worthText(worth, t) : "");
      about.classList.toggle("mg-problem", Boolean(worth?.problem));
      const isListed = isOwn && Boolean(worth) && !worth.problem;
      words.hidden = counts.hidden = !isListed;
      if (!isListed) return;
      setText(words, t("training.words_found", { words: worth.words }));
      replace(counts, worth.counts.map(countItem), rest(worth, t));
    },
  };
}

function worthText({ problem, sentences, targets, floor, uniform, vocabulary, left_out: leftOut }, t) {
  if (problem) return problem;
  const said = [t("training.worth", { sentences, targets, words: vocabulary, floor: number(floor), uniform: number(uniform) })];
  if (leftOut) said.push(t("training.left_out", { count: leftOut }));
  return said.join(" ");
}

function countItem([word, count]) {
  return el("li", {}, el("bdi", { class: "mg-corpus-word" }, word), el("span", { class: "mg-number" }, `× ${count}`));
}

function rest({ words, counts }, t) {
  const more = words - counts.length;
  return more > 0 && el("li", { class: "mg-note" }, t("training.words_more", { count: more }));
}
