/** The sentence bar: what is written, what can be written next, and what the model would say. */

import { createActions } from "./actions.js";
import { createBars } from "./bars.js";
import { createChips } from "./chips.js";
import { createChoosing } from "./choosing.js";
import { el, setAttribute } from "./dom.js";
import { createEngine } from "./engine.js";
import { createPalette } from "./palette.js";
import { keepScrollRoom } from "./scroll_room.js";
import { createTyping } from "./typing.js";

/** `{element, update}`; `element` stays in view while the page scrolls. */
export function createSentence(app) {
  const write = el("div", { class: "mg-write" });
  const controls = el("div", { class: "mg-controls" });
  const next = el("div", { class: "mg-next" });
  const parts = [
    createChips(write, app),
    createPalette(write, app),
    createTyping(controls, app),
    createActions(controls, app),
    createChoosing(controls, app),
    createBars(next, app),
    createEngine(next, app),
  ];
  write.append(app.alert.element);
  const element = el("section", { class: "mg-sentence" }, write, controls, next);
  keepScrollRoom([element, write]);
  return {
    element,
    update(state, view) {
      setAttribute(element, "aria-label", app.t("shell.sentence_bar"));
      for (const part of parts) part.update(state, view);
    },
  };
}
