/** The working of the chosen cell; if its result is hidden, the form to answer it. */

import { el, replace, setText } from "../dom.js";
import { createAnswer } from "./answer.js";
import { createCardTools } from "./card_tools.js";
import { hidesAny, linesOf, plainText, titleOf } from "./lines.js";
import { placeOf } from "./sheets.js";

/**
 * @param {object} app
 * @param {object} on `operand(ref)`, `back()`, `right(key, cell)`, `reveal(key, cell)`,
 *   `fold(isFolded)`
 */
export function createCard(app, on) {
  const { t } = app;
  const title = el("h3", { class: "mg-working-subtitle", id: "mg-card-title", tabindex: -1 });
  const place = el("p", { class: "mg-card-place" });
  const lines = el("div", { class: "mg-card-lines" });
  const answer = createAnswer(app, on);
  const back = el("button", { type: "button", class: "mg-button mg-quiet", onclick: on.back });
  const tools = createCardTools(app, {
    text: () => plainText(shown.working, shown.context),
    fold: on.fold,
    ask() {
      isAsking = true;
      draw();
    },
  });
  const element = el(
    "section",
    { class: "mg-card", "aria-labelledby": "mg-card-title" },
    el("div", { class: "mg-card-head" }, el("div", {}, title, place), back),
    answer.element,
    lines,
    tools.element,
  );
  const operandAt = ({ target }) => target.closest?.(".mg-operand")?.dataset ?? null;
  for (const kind of ["pointerover", "focusin"]) {
    element.addEventListener(kind, (event) => {
      const at = operandAt(event);
      app.marks.pointOperand(at && { key: at.key, cell: at.cell });
    });
  }
  for (const kind of ["pointerleave", "focusout"]) {
    element.addEventListener(kind, () => app.marks.pointOperand(null));
  }
  let shown = null;
  let isAsking = false; // the working of a hidden cell was requested

  function draw() {
    const { working, context, isHidden, hides, isFolded, canGoBack } = shown;
    const value = context.book.valueOf(working.key);
    back.hidden = !canGoBack;
    setText(back, t("working.back"));
    replace(title, titleOf(value, context));
    replace(place, placeOf(value, working.cell, context), " ", el("code", {}, working.key));
    answer.element.hidden = !isHidden;
    if (isHidden) answer.update(working.key, working.cell, context);
    lines.hidden = isHidden && !isAsking;
    replace(lines, linesOf(working, context, { hides, onOperand: on.operand }));
    const isPartly = isHidden || hidesAny(working, hides);
    tools.update(working, { isHidden, isPartly, isAsking, folded: isFolded });
  }

  return {
    element,
    /** @param {object|null} given `working`, `context`, `isHidden`, `hides(key, cell)`, `isFolded`,
     * `canGoBack` */
    update(given) {
      element.hidden = given === null;
      if (given && !isSameCell(given.working, shown?.working)) {
        isAsking = false;
        tools.clear();
      }
      shown = given;
      if (given) draw();
    },
    focusAnswer: () => answer.focus(),
    focusTitle: () => title.focus({ preventScroll: true }),
  };
}

function isSameCell(working, other) {
  return working.key === other?.key && `${working.cell}` === `${other.cell}`;
}
