/** Buttons of a working: copy it, show the terms that are 0, show a hidden cell's working. */

import { el } from "../dom.js";
import { copyText } from "./copying.js";

const FOLDED = ["zero_terms", "rest_terms"]; // notes of terms that can be written out

/** @param {object} on `text()`: the working as text; `fold(isFolded)`; `ask()` */
export function createCardTools({ t }, on) {
  const copy = el("button", { type: "button", class: "mg-button", onclick: copyWorking });
  const fold = el("button", { type: "button", class: "mg-button mg-quiet" });
  const ask = el("button", { type: "button", class: "mg-button", onclick: on.ask });
  const copied = el("span", { class: "mg-note", role: "status" });
  const field = el("textarea", { class: "mg-copy-field", readonly: true, hidden: true, rows: 6 });
  const row = el("div", { class: "mg-card-tools" }, copy, fold, ask, copied);
  const element = el("div", {}, row, field);
  let isFolded = true;
  fold.addEventListener("click", () => on.fold(!isFolded));

  async function copyWorking() {
    const text = on.text();
    const isCopied = await copyText(text, element);
    copied.textContent = t(isCopied ? "working.copied" : "working.copy_by_hand");
    field.hidden = isCopied;
    if (isCopied) return;
    field.value = text;
    field.setAttribute("aria-label", t("working.copy"));
    field.select();
  }

  return {
    element,
    update(working, { isHidden, isPartly, isAsking, folded }) {
      isFolded = folded;
      const notes = working.lines.flatMap((line) => line.notes);
      copy.hidden = isPartly;
      copy.textContent = t("working.copy");
      fold.hidden = isHidden || (folded && !notes.some((note) => FOLDED.includes(note.key)));
      fold.textContent = t(folded ? "working.show_zeros" : "working.fold_zeros");
      ask.hidden = !isHidden || isAsking;
      ask.textContent = t("working.show_expression");
    },
    clear() {
      copied.textContent = "";
      field.hidden = true;
    },
  };
}
