/** The next word: each word's probability as a bar, and its logit. */

import { wordColour } from "./colours.js";
import { el, replace } from "./dom.js";
import { number } from "./format.js";

export function createBars(container, { t }) {
  const caption = el("caption", { class: "mg-bars-caption" });
  const headings = ["shell.word", "shell.probability", "shell.logit"].map((key) => ({
    key,
    cell: el("th", { scope: "col", colspan: key === "shell.probability" ? 2 : 1 }),
  }));
  const body = el("tbody");
  const table = el(
    "table",
    { class: "mg-bars" },
    caption,
    el("thead", {}, el("tr", {}, ...headings.map(({ cell }) => cell))),
    body,
  );
  container.append(table);
  return {
    update(state, view) {
      caption.textContent = t(view.probabilities ? "shell.next_word" : "shell.no_next_word");
      for (const { key, cell } of headings) cell.textContent = t(key);
      const largest = view.probabilities ? view.probabilities.indexOf(Math.max(...view.probabilities)) : -1;
      replace(
        body,
        view.model.words.map((word, id) => row(word, id, view, id === largest)),
      );
    },
  };
}

function row(word, id, view, isLargest) {
  const probability = view.probabilities?.[id];
  return el(
    "tr",
    { class: isLargest ? "mg-bar-row mg-largest" : "mg-bar-row", dataset: { word } },
    el("th", { scope: "row", class: "mg-bar-word" }, word),
    el(
      "td",
      { class: "mg-bar-track", "aria-hidden": "true" },
      el("span", {
        class: "mg-bar",
        style: { "--share": probability ?? 0, "--hue": wordColour(id) },
      }),
    ),
    el("td", { class: "mg-number" }, view.probabilities ? number(probability) : "—"),
    el("td", { class: "mg-number" }, view.logits ? number(view.logits[id]) : "—"),
  );
}
