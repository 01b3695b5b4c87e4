/** Sizes and settings that follow from a text of one's own: they fill the form until one edits them. */

import { NUMBERS, SIZES } from "./fields.js";
import { el, setText } from "../../dom.js";

/** @param {() => void} changed called when values were filled in */
export function createSuggestion(t, fields, changed) {
  const text = el("span");
  const use = el("button", { type: "button", class: "mg-button mg-quiet", onclick: () => fill() });
  const element = el("p", { class: "mg-note mg-suggested", role: "status", hidden: true }, text, use);
  let suggested = null; // by field; null for the lesson's words
  let isEdited = false;

  function fill() {
    isEdited = false;
    if (!differs()) return;
    fields.fill(suggested);
    changed();
  }

  const differs = () => NUMBERS.some((name) => name in suggested && fields.get(name) !== String(suggested[name]));

  function update() {
    element.hidden = suggested === null;
    if (element.hidden) return;
    const isUsed = !differs();
    const sizes = t("training.sizes", Object.fromEntries(SIZES.map((name) => [name, suggested[name]])));
    setText(text, t(isUsed ? "training.suggested" : "training.suggested_not", { ...suggested, sizes }));
    setText(use, t("training.suggested_use"));
    use.hidden = isUsed;
  }

  return {
    element,
    /** What the server found in the text; nothing changes while it cannot be read. */
    found(worth) {
      if (worth.problem) return;
      suggested = worth.suggested ?? null;
      if (suggested && !isEdited) fill();
      update();
    },
    /** The text is of the lesson's words, or another one. */
    forget() {
      suggested = null;
    },
    /** The person edited this field. */
    edited(name) {
      isEdited ||= name !== "seed";
    },
    isEdited: () => isEdited,
    /** The form holds what was there at the start, or what a person chose at another visit. */
    begin(edited) {
      isEdited = edited;
    },
    update,
  };
}
