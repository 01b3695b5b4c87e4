/** The form in which a learner types the number of a hidden cell and has it checked. */

import { answered } from "../asking.js";
import { el } from "../dom.js";
import { viewRequest } from "../viewer.js";
import { sourceOf } from "./lines.js";
import { placeOf } from "./sheets.js";

/**
 * @param {object} app
 * @param {object} on `right(key, cell)`: the answer was right; `reveal(key, cell)`: show it
 */
export function createAnswer({ server, store, t }, on) {
  const label = el("label", { class: "mg-answer-label", for: "mg-answer" });
  const input = el("input", {
    id: "mg-answer",
    class: "mg-input mg-answer-input",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 40,
    "aria-describedby": "mg-answer-verdict",
  });
  const check = el("button", { type: "submit", class: "mg-button mg-primary" });
  const reveal = el("button", { type: "button", class: "mg-button mg-quiet" });
  const verdict = el("p", { id: "mg-answer-verdict", class: "mg-verdict", role: "status" });
  const element = el(
    "form",
    { class: "mg-answer", novalidate: true },
    label,
    el("div", { class: "mg-answer-row" }, input, check, reveal),
    verdict,
  );
  let shown = null;
  let told = null; // {grade, hint} of the current cell
  let latest = null; // the last request: the verdict on an earlier answer may arrive after it

  async function judge(event) {
    event.preventDefault();
    const { key, cell } = shown;
    if (input.value.trim() === "") return;
    const request = { ...viewRequest(store.get()), cell: { key, cell }, answer: input.value };
    latest = request;
    const found = await answered(server.check_answer(request));
    if (found && (request !== latest || shown.id !== idOf(key, cell, store.get()))) return;
    told = found; // null: clears the verdict on an earlier answer
    showVerdict();
    if (told?.grade === "right") on.right(key, cell);
  }

  function showVerdict() {
    const grade = told?.grade ?? "none";
    verdict.dataset.grade = grade;
    verdict.textContent = told ? verdictText(told, shown.context) : "";
    input.setAttribute("aria-invalid", String(grade === "wrong"));
  }

  element.addEventListener("submit", judge);
  reveal.addEventListener("click", () => on.reveal(shown.key, shown.cell));

  return {
    element,
    /** Show the form for one cell; `context` as for the lines of a working. */
    update(key, cell, context) {
      const id = idOf(key, cell, store.get());
      if (shown?.id !== id) {
        told = null;
        input.value = "";
      }
      shown = { key, cell, context, id };
      label.textContent = t("working.answer_label", {
        place: sourceOf({ key, cell }, context),
      });
      check.textContent = t("working.check");
      reveal.textContent = t("working.reveal");
      showVerdict();
    },
    focus: () => input.focus(),
  };

  function verdictText({ grade, hint }, context) {
    const parts = [t(`working.grade.${grade}`)];
    if (hint) parts.push(t(`working.mistake.${hint.key}`, hintValues(hint, context)));
    return parts.join(" ");
  }

  function hintValues({ values }, context) {
    const filled = { ...values };
    if (values.label) filled.label = context.book.texts.values[values.label]?.[context.lang] ?? values.label;
    if (values.cell) filled.place = placeOf(context.book.valueOf(shown.key), values.cell, context);
    return filled;
  }
}

function idOf(key, cell, state) {
  return JSON.stringify([key, cell, viewRequest(state)]);
}
