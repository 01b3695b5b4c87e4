/**
 * The next word after each watched prompt, as bars that move during training. Of many words the most
 * probable have a bar, and the others one row together.
 */

import { createRest, orderOf } from "../../bar_rows.js";
import { wordColour } from "../../colours.js";
import { el, setAttribute, setStyle, setText } from "../../dom.js";
import { number } from "../../format.js";
import { MOST_BARS } from "../../map/sizes.js";
import { roundingNote } from "../../rounded_sum.js";

export function createWatched(container, { t }) {
  let built = null;
  let rows = [];

  function build(training, words) {
    rows = training.watched.map((ids) => createPrompt(ids, words));
    container.replaceChildren(...rows.map((row) => row.element));
  }

  return {
    /**
     * @param {(ids: number[]) => number[]|null} exactOf the probabilities after a prompt at
     *   `step` itself; until they arrive, those of the last evaluation before it are shown, with
     *   its step
     */
    update(training, step, words, exactOf) {
      const key = JSON.stringify([training.watched, words]);
      if (key !== built) build(training, words);
      built = key;
      const [lookedAt, looks] = lookAt(training, step);
      rows.forEach((row, at) => {
        const exact = exactOf(training.watched[at]);
        row.update(exact ?? looks?.[at] ?? null, exact || lookedAt === step ? null : lookedAt, t);
      });
    },
  };
}

/** The last evaluation at or before `step`: its step, and the probabilities after each prompt. */
function lookAt({ points }, step) {
  const point = points.findLast((each) => each[0] <= step && each[4] !== null);
  return point ? [point[0], point[4]] : [null, null];
}

function createPrompt(ids, words) {
  const said = el("span");
  const note = el("small");
  const caption = el("caption", { class: "mg-watched-caption" }, said, note);
  const bars = words.slice(0, MOST_BARS).map(createBar);
  const rest = words.length > bars.length ? createRest() : null;
  const element = el("table", { class: "mg-watched-prompt" }, caption, el("tbody", {}, bars.map((bar) => bar.element), rest?.element ?? null));
  return {
    element,
    /** `step`: the step of the probabilities, if it is not the slider's. */
    update(probabilities, step, t) {
      const prompt = ids.map((id) => words[id]).join(" ");
      said.textContent = step === null ? t("training.after", { prompt }) : t("training.after_at", { prompt, step });
      note.textContent = probabilities ? roundingNote(probabilities, t) : "";
      const largest = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
      const order = orderOf(words, probabilities, bars.length);
      bars.forEach((bar, place) => {
        const id = order[place];
        bar.update({ id, word: words[id], probability: probabilities?.[id] ?? null, isLargest: id === largest });
      });
      rest?.update(order.slice(bars.length).map((id) => probabilities?.[id]), t);
    },
  };
}

function createBar() {
  const bar = el("span", { class: "mg-watched-bar" });
  const name = el("th", { scope: "row" });
  const text = el("td", { class: "mg-number" });
  const element = el(
    "tr",
    {},
    name,
    el("td", { class: "mg-watched-track", "aria-hidden": "true" }, bar),
    text,
  );
  return {
    element,
    update({ id, word, probability, isLargest }) {
      setText(name, word);
      setAttribute(element, "data-word", word);
      setStyle(bar, "--hue", wordColour(id));
      bar.style.setProperty("--share", probability ?? 0);
      text.textContent = probability === null ? "—" : number(probability);
      element.classList.toggle("mg-largest", isLargest);
    },
  };
}
