/** At the map's foot while it shows the steps of a training: which one, and a slider to any other. */

import { el, setAttribute, setText } from "../dom.js";

export function createWatchBar({ t, store, watching }) {
  const text = el("span", { class: "mg-watch-text" });
  const slider = el("input", {
    type: "range",
    class: "mg-slider mg-watch-slider",
    min: 0,
    step: 1,
    oninput: () => watching.offered()?.choose(Number(slider.value)),
  });
  const leave = el("button", {
    type: "button",
    class: "mg-button mg-quiet",
    onclick: () => watching.offered()?.leave(),
  });
  const note = el("p", { class: "mg-note" });
  const element = el(
    "div",
    { class: "mg-watch", role: "group", hidden: true },
    el("label", { class: "mg-slider-field" }, text, slider),
    leave,
    note,
  );
  return {
    element,
    update() {
      const step = watching.offered();
      element.hidden = !step?.isOnMap;
      if (element.hidden) return;
      setAttribute(element, "aria-label", t("map.watched"));
      setText(text, step.text);
      slider.max = step.count - 1;
      slider.value = step.place;
      setAttribute(slider, "aria-valuetext", step.text);
      const isPages = step.model === store.get().model;
      leave.hidden = note.hidden = isPages;
      setText(leave, t("map.watched_leave"));
      setText(note, t("map.watched_note"));
    },
  };
}
