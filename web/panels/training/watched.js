/** The next word after each watched prompt, as bars that move while the network learns. */

import { wordColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";

export function createWatched(container, { t }) {
  let built = null;
  let rows = [];

  function build(training, words) {
    rows = training.watched.map((ids) => createPrompt(ids, words));
    container.replaceChildren(...rows.map((row) => row.element));
  }

  return {
    update(training, step, words) {
      const key = JSON.stringify([training.watched, words]);
      if (key !== built) build(training, words);
      built = key;
      const probabilities = lookAt(training, step);
      rows.forEach((row, at) => row.update(probabilities?.[at] ?? null, t));
    },
  };
}

/** The last look at or before `step`. */
function lookAt({ points }, step) {
  return points.findLast((point) => point[0] <= step && point[4] !== null)?.[4] ?? null;
}

function createPrompt(ids, words) {
  const caption = el("caption", { class: "mg-watched-caption" });
  const bars = words.map((word, id) => createBar(word, id));
  const element = el("table", { class: "mg-watched-prompt" }, caption, el("tbody", {}, bars.map((bar) => bar.element)));
  return {
    element,
    update(probabilities, t) {
      caption.textContent = t("training.after", { prompt: ids.map((id) => words[id]).join(" ") });
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
