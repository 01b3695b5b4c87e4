/** The last word's next-word probabilities as bars, where the road ends. */

import { wordColour } from "../colours.js";
import { el, setAttribute, setStyle, setText } from "../dom.js";
import { numberOrMark } from "../format.js";
import { roundingNote } from "../rounded_sum.js";

export function createAnswer(board, app, onOpen) {
  const { x, y, w, h } = board.answer;
  const title = el("div", { class: "mg-map-answer-title" });
  const rows = Array.from({ length: board.sizes.slots }, (_, slot) => createRow(slot, onOpen));
  const element = el(
    "div",
    {
      class: "mg-map-answer",
      role: "group",
      style: { left: `${x}px`, top: `${y}px`, width: `${w}px`, minHeight: `${h}px` },
    },
    title,
    rows.map((row) => row.element),
  );
  return {
    element,
    /** The bars as drawn now: {id, bar, share}. */
    bars: () => rows.map((row) => row.bar()),
    /** `order`: the ids to show, of the last position. */
    update(view, order) {
      const last = view.window.length - 1;
      const word = view.model.words[view.window[last]];
      setText(title, app.t("map.answer", { word }));
      setAttribute(element, "aria-label", app.t("map.answer", { word }));
      const probabilities = view.trace.vocabulary_probs[last];
      const isHidden = probabilities.some(Number.isNaN);
      const note = isHidden ? "" : roundingNote(probabilities, app.t);
      setAttribute(element, "title", note || null);
      const best = probabilities.indexOf(Math.max(...probabilities));
      rows.forEach((row, slot) => {
        const id = order[slot];
        row.update({ id, word: view.model.words[id], probability: probabilities[id], best: id === best });
      });
    },
  };
}

function createRow(slot, onOpen) {
  const word = el("span", { class: "mg-map-answer-word" });
  const bar = el("span", { class: "mg-map-answer-bar" });
  const value = el("span", { class: "mg-map-answer-value" });
  let shown = null;
  let share = 0;
  const element = el(
    "div",
    { class: "mg-map-answer-row", role: "img", onclick: () => onOpen(shown) },
    word,
    el("span", { class: "mg-map-answer-track" }, bar),
    value,
  );
  return {
    element,
    bar: () => ({ id: shown, bar, share }),
    update({ id, word: text, probability, best }) {
      shown = id;
      share = probability || 0; // 0 too where it is hidden
      setText(word, text);
      setText(value, numberOrMark(probability));
      bar.style.setProperty("--share", share);
      setStyle(bar, "--hue", wordColour(id));
      element.classList.toggle("mg-map-best", best);
      setAttribute(element, "aria-label", `${text} ${numberOrMark(probability)}`);
    },
  };
}
