/**
 * The next word: each word's probability as a bar, and its logit. Of many words the most probable
 * stand by themselves and the others in one row.
 */

import { createRest, orderOf } from "./bar_rows.js";
import { wordColour } from "./colours.js";
import { el, replace, setAttribute, setStyle, setText } from "./dom.js";
import { number } from "./format.js";
import { showGloss } from "./glosses.js";
import { MOST_BARS } from "./map/sizes.js";
import { roundingNote, withRest } from "./rounded_sum.js";

const NOTHING = "—";

/** `element` is put into `container`; the map moves it to where its road ends. */
export function createBars(container, { t, store }) {
  const caption = el("caption", { class: "mg-hidden" });
  const headings = [
    ["shell.next_word", {}],
    ["shell.probability", { colspan: 2 }],
    ["shell.logit", { class: "mg-logit-heading" }],
  ].map(([key, attributes]) => ({ key, cell: el("th", { scope: "col", ...attributes }) }));
  const body = el("tbody");
  const table = el(
    "table",
    { class: "mg-bars" },
    caption,
    el("thead", {}, el("tr", {}, ...headings.map(({ cell }) => cell))),
    body,
  );
  const note = el("p", { class: "mg-note mg-rounding", hidden: true });
  const element = el("div", { class: "mg-map-answer" }, table, note);
  container.append(element);
  let count = null;
  let rows = [];
  let rest = null;
  let latest = null;

  function build(words) {
    count = words;
    const shown = Math.min(words, MOST_BARS);
    rows = Array.from({ length: shown }, () => createRow((id) => open(id)));
    rest = words > shown ? createRest(el("td", { class: "mg-logit" })) : null;
    replace(body, [...rows.map((row) => row.element), rest?.element ?? null]);
  }

  /** The working of a word's probability. */
  function open(id) {
    if (latest.trace) store.set({ stage: "vocabulary_probs", cell: [latest.window.length - 1, id] });
  }

  return {
    element,
    /** The bars as drawn now: {id, bar, share}. */
    bars: () => rows.map((row) => row.bar()),
    update(state, view) {
      latest = view;
      setText(caption, t("shell.bars_caption"));
      for (const { key, cell } of headings) setText(cell, t(key));
      const { words } = view.model;
      if (words.length !== count) build(words.length);
      const { probabilities, logits } = view;
      const largest = probabilities?.indexOf(Math.max(...probabilities));
      const order = orderOf(words, probabilities, rows.length);
      setText(note, probabilities ? roundingNote(withRest(probabilities, order.slice(0, rows.length)), t) : "");
      note.hidden = note.textContent === "";
      rows.forEach((row, place) => {
        const id = order[place];
        row.update({ id, word: words[id], share: probabilities?.[id], score: logits?.[id], isLargest: id === largest });
        showGloss(row.heading, words[id], t);
      });
      rest?.update(order.slice(rows.length).map((id) => probabilities?.[id]), t);
    },
  };
}

function createRow(onOpen) {
  const bar = el("span", { class: "mg-bar" });
  const name = el("th", { scope: "row", class: "mg-bar-word" });
  const probability = el("td", { class: "mg-number mg-probability" });
  const logit = el("td", { class: "mg-number mg-logit" });
  let shown = null;
  let drawn = 0; // the share that the bar shows; 0 too where it is hidden
  const element = el(
    "tr",
    { onclick: () => onOpen(shown) },
    name,
    el("td", { class: "mg-bar-track", "aria-hidden": "true" }, bar),
    probability,
    logit,
  );
  return {
    element,
    heading: name,
    bar: () => ({ id: shown, bar, share: drawn }),
    update({ id, word, share, score, isLargest }) {
      if (shown !== id || element.dataset.word !== word) {
        shown = id;
        setText(name, word);
        setAttribute(element, "data-word", word);
        setStyle(bar, "--hue", wordColour(id));
      }
      element.classList.toggle("mg-largest", isLargest);
      bar.hidden = share === undefined;
      drawn = share ?? 0;
      bar.style.setProperty("--share", drawn);
      setText(probability, share === undefined ? NOTHING : number(share));
      setText(logit, score === undefined ? NOTHING : number(score));
    },
  };
}
