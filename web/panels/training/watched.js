/** The next word after each watched prompt, as bars that move during training. */

import { wordColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";
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
  const bars = words.map((word, id) => createBar(word, id));
  const element = el("table", { class: "mg-watched-prompt" }, caption, el("tbody", {}, bars.map((bar) => bar.element)));
  return {
    element,
    /** `step`: the step of the probabilities, if it is not the slider's. */
    update(probabilities, step, t) {
      const prompt = ids.map((id) => words[id]).join(" ");
      said.textContent = step === null ? t("training.after", { prompt }) : t("training.after_at", { prompt, step });
      note.textContent = probabilities ? roundingNote(probabilities, t) : "";
      const largest = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
      bars.forEach((bar, id) => bar.update(probabilities?.[id] ?? null, id === largest));
    },
  };
}

function createBar(word, id) {
  const bar = el("span", { class: "mg-watched-bar", style: { "--hue": wordColour(id) } });
  const text = el("td", { class: "mg-number" });
  const element = el(
    "tr",
    { dataset: { word } },
    el("th", { scope: "row" }, word),
    el("td", { class: "mg-watched-track", "aria-hidden": "true" }, bar),
    text,
  );
  return {
    element,
    update(probability, isLargest) {
      bar.style.setProperty("--share", probability ?? 0);
      text.textContent = probability === null ? "—" : number(probability);
      element.classList.toggle("mg-largest", isLargest);
    },
  };
}
