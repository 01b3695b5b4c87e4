/** Shown instead of a panel while results are hidden, with a button to show them. */

import { el, replace, setText } from "./dom.js";

/**
 * @param {object} app
 * @param {HTMLElement} container whose content leaves the page while it is covered
 */
export function createCover({ veil, t }, container) {
  const text = el("span");
  const show = el("button", { type: "button", class: "mg-button", onclick: () => veil.show() });
  const note = el("p", { class: "mg-note mg-cover" }, text, " ", show);
  let covered = null; // the content, while it is not there
  return {
    /** Cover or uncover; whether it is covered now. */
    update() {
      const isOn = veil.isOn();
      if (isOn && !covered) {
        covered = [...container.childNodes];
        replace(container, note);
      } else if (!isOn && covered) {
        replace(container, covered);
        covered = null;
      }
      setText(text, t("working.covered"));
      setText(show, t("working.uncover"));
      return isOn;
    },
  };
}
