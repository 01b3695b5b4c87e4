/** The button that opens the film: a sign, and its name where there is room. */

import { el, setAttribute, setText } from "../dom.js";

export function createOpenButton(t, open) {
  const name = el("span", { class: "mg-film-open-name" });
  const sign = el("span", { "aria-hidden": "true" }, "▶");
  const element = el("button", { type: "button", class: "mg-button mg-film-open-button", onclick: open }, sign, name);
  return {
    element,
    update(isPossible, isOpen) {
      setText(name, t("film.play_short"));
      setAttribute(element, "aria-label", t("film.play"));
      setAttribute(element, "title", t("film.play"));
      setAttribute(element, "aria-expanded", String(isOpen));
      element.disabled = !isPossible;
    },
  };
}
