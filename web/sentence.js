/**
 * The sentence row: what is written and what the model would say next, the words, and the main
 * buttons, in one line that stays in view. The rest opens from "more".
 */

import { createActions } from "./actions.js";
import { createChips } from "./chips.js";
import { createChoosing } from "./choosing.js";
import { el, setAttribute } from "./dom.js";
import { createEngine } from "./engine.js";
import { createMore } from "./more.js";
import { createPalette } from "./palette.js";
import { createTyping } from "./typing.js";

/** `{element, row, update}`; `element` stays in view while the page scrolls. */
export function createSentence(app) {
  const row = el("div", { class: "mg-row" });
  const chips = createChips(row, app);
  const palette = createPalette(row, app);
  const buttons = el("div", { class: "mg-row-buttons" });
  const more = createMore(app);
  const actions = createActions({ row: buttons, more: more.panel }, app);
  buttons.append(more.button);
  row.append(buttons);
  const parts = [
    chips,
    palette,
    createTyping(more.panel, app),
    actions,
    createChoosing(more.panel, app),
    createEngine(more.panel, app),
    more,
  ];
  const element = el("section", { class: "mg-sentence" }, row, el("div", { class: "mg-over" }, app.alert.element, more.panel));
  return {
    element,
    /** Where the button that plays the film stands: first. */
    buttons,
    update(state, view) {
      setAttribute(element, "aria-label", app.t("shell.sentence_bar"));
      for (const part of parts) part.update(state, view);
    },
  };
}
