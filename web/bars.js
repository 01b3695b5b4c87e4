/** The next word: each word's probability as a bar, and its logit. */

import { wordColour } from "./colours.js";
import { el, replace, setText } from "./dom.js";
import { number } from "./format.js";
import { showGloss } from "./glosses.js";
import { roundingNote } from "./rounded_sum.js";

const NOTHING = "—";

export function createBars(container, { t }) {
  const caption = el("caption", { class: "mg-hidden" });
  const headings = [
    ["shell.next_word", {}],
    ["shell.probability", { colspan: 2 }],
    ["shell.logit", {}],
  ].map(([key, attributes]) => ({ key, cell: el("th", { scope: "col", ...attributes }) }));
  const body = el("tbody");
  container.append(
    el(
      "table",
      { class: "mg-bars" },
      caption,
      el("thead", {}, el("tr", {}, ...headings.map(({ cell }) => cell))),
      body,
    ),
  );
  const note = el("p", { class: "mg-note mg-rounding", hidden: true });
  container.append(note);
  let words = [];
  let rows = [];
  return {
    update(state, view) {
      setText(caption, t("shell.bars_caption"));
      for (const { key, cell } of headings) setText(cell, t(key));
      if (view.model.words.join() !== words.join()) {
        words = view.model.words;
        rows = words.map(createRow);
        replace(body, rows.map((row) => row.element));
      }
      const { probabilities, logits } = view;
      setText(note, probabilities ? roundingNote(probabilities, t) : "");
      note.hidden = note.textContent === "";
      const largest = probabilities?.indexOf(Math.max(...probabilities));
      for (const [id, row] of rows.entries()) {
        row.update(probabilities?.[id], logits?.[id], id === largest);
        showGloss(row.heading, words[id], t);
      }
    },
  };
}

function createRow(word, id) {
  const bar = el("span", { class: "mg-bar", style: { "--hue": wordColour(id) } });
  const probability = el("td", { class: "mg-number mg-probability" });
  const logit = el("td", { class: "mg-number mg-logit" });
  const heading = el("th", { scope: "row", class: "mg-bar-word" }, word);
  const element = el(
    "tr",
    { dataset: { word } },
    heading,
    el("td", { class: "mg-bar-track", "aria-hidden": "true" }, bar),
    probability,
    logit,
  );
  return {
    element,
    heading,
    update(share, score, isLargest) {
      element.classList.toggle("mg-largest", isLargest);
      bar.hidden = share === undefined;
      bar.style.setProperty("--share", share ?? 0);
      setText(probability, share === undefined ? NOTHING : number(share));
      setText(logit, score === undefined ? NOTHING : number(score));
    },
  };
}
