/** On a wide page, what stands beside the map until something is opened there: the invitation. */

import { el, setText } from "./dom.js";

/** @param {() => void} onStart called when the tour is wanted */
export function createWelcome({ t }, onStart) {
  const lead = el("h2", { class: "mg-welcome-lead" });
  const text = el("p");
  const hint = el("p", { class: "mg-note" });
  const start = el("button", { type: "button", class: "mg-button mg-primary", onclick: onStart });
  return {
    element: el("section", { class: "mg-welcome" }, lead, text, start, hint),
    update() {
      setText(lead, t("shell.lead"));
      setText(text, t("tour.welcome"));
      setText(start, t("tour.welcome_start"));
      setText(hint, t("map.hint"));
    },
  };
}
