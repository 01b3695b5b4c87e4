/** Every prompt with its probabilities; a click on a heading sorts, a click on a row opens the prompt. */

import { probabilityColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { number } from "../../format.js";
import { roundingNoteOfRows } from "../../rounded_sum.js";
import { miniChips } from "./mini_chips.js";

export function createPromptTable(app) {
  const { t } = app;
  const element = el("div", { class: "mg-scroll mg-prompts", tabindex: 0, role: "region" });
  let sorting = { by: "prompt", descending: false };
  let shown = null;

  /** @param {number[]} columns the words that have a column */
  function show(rows, words, columns, caption) {
    shown = [rows, words, columns, caption];
    draw();
  }

  function draw() {
    const [rows, words, columns, caption] = shown;
    const present = app.viewer.view().window.join();
    element.setAttribute("aria-label", caption);
    const heads = ["prompt", ...columns, "next"];
    replace(
      element,
      el(
        "table",
        {},
        el("caption", {}, columns.length === words.length ? captionOf(rows, caption, t) : caption),
        el("thead", {}, el("tr", {}, heads.map((by) => headCell(by, words, sorting, sortBy, t)))),
        el("tbody", {}, sorted(rows, sorting).map((row) => promptRow(row, words, columns, present, app))),
      ),
    );
  }

  function sortBy(by) {
    const isSame = sorting.by === by;
    // Large probabilities are the interesting ones, so they come first.
    sorting = { by, descending: isSame ? !sorting.descending : typeof by === "number" };
    draw();
    element.querySelector(`[data-by="${by}"]`)?.focus();
  }

  return { element, show };
}

function captionOf(rows, caption, t) {
  const note = roundingNoteOfRows(rows.map(({ probabilities }) => probabilities), t);
  return [caption, note].filter(Boolean).join(" ");
}

function headCell(by, words, sorting, sortBy, t) {
  const isWord = typeof by === "number";
  const isSorted = sorting.by === by;
  const direction = sorting.descending ? "descending" : "ascending";
  return el(
    "th",
    { scope: "col", class: isWord ? "mg-number" : "", "aria-sort": isSorted ? direction : null },
    el(
      "button",
      { type: "button", class: "mg-sort", dataset: { by }, onclick: () => sortBy(by) },
      isWord ? words[by] : t(`prompts.${by}`),
      el("span", { class: "mg-sort-mark", "aria-hidden": "true" }, isSorted ? (sorting.descending ? "▾" : "▴") : ""),
    ),
  );
}

function sorted(rows, { by, descending }) {
  const order = {
    prompt: () => 0, // the server's order: shorter prompts first, then by id
    next: (left, right) => left.next - right.next,
  };
  const compare = order[by] ?? ((left, right) => left.probabilities[by] - right.probabilities[by]);
  const result = [...rows].sort(compare);
  return descending ? result.reverse() : result;
}

function promptRow({ tokens, probabilities, next }, words, columns, present, { store, t }) {
  const said = tokens.map((id) => words[id]).join(" ");
  const isPresent = tokens.join() === present;
  return el(
    "tr",
    { class: isPresent ? "mg-present" : "" },
    el(
      "th",
      { scope: "row" },
      el(
        "button",
        {
          type: "button",
          class: "mg-prompt",
          "aria-label": t("prompts.open", { prompt: said }),
          "aria-current": isPresent ? "true" : null,
          onclick: () => store.set({ tokens: [...tokens] }),
        },
        miniChips(tokens, words),
      ),
    ),
    columns.map((id) =>
      el(
        "td",
        { class: id === next ? "mg-number mg-largest" : "mg-number", style: { "--cell": probabilityColour(probabilities[id]) } },
        number(probabilities[id]),
      ),
    ),
    el("td", {}, miniChips([next], words)),
  );
}
