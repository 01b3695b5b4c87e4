/** The words of the model as large buttons; on a narrow page with their probabilities. */

import { wordColour } from "./colours.js";
import { el, replace, setAttribute, setText } from "./dom.js";
import { number } from "./format.js";
import { showGloss } from "./glosses.js";

export function createPalette(container, { writing, t }) {
  const element = el("div", { class: "mg-palette", role: "group" });
  container.append(element);
  let words = [];
  let buttons = [];
  return {
    update(state, view) {
      setAttribute(element, "aria-label", t("shell.palette"));
      if (view.model.words.join() !== words.join()) {
        words = view.model.words;
        buttons = words.map((word, id) => wordButton(word, id, () => writing.append([id])));
        replace(element, buttons.map((button) => button.element));
      }
      for (const [id, button] of buttons.entries()) button.update(view.probabilities?.[id], t);
    },
  };
}

function wordButton(word, id, onclick) {
  const text = el("span", { class: "mg-word-text" }, word);
  const share = el("span", { class: "mg-word-share", "aria-hidden": "true" });
  const element = el(
    "button",
    { type: "button", class: "mg-word", style: { "--hue": wordColour(id) }, onclick },
    text,
    share,
  );
  return {
    element,
    update(probability, t) {
      showGloss(text, word, t);
      setText(share, probability === undefined ? "" : number(probability));
      element.style.setProperty("--share", probability ?? 0);
    },
  };
}
