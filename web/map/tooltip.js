/** The small card beside the cell or link one points at. */

import { el } from "../dom.js";
import { setText } from "./backdrop.js";

const GAP = 8;

export function createTooltip() {
  const title = el("div", { class: "mg-map-tip-title" });
  const place = el("div", { class: "mg-map-tip-place" });
  const value = el("div", { class: "mg-map-tip-value" });
  const element = el(
    "div",
    { class: "mg-map-tooltip", role: "tooltip", hidden: true },
    title,
    place,
    value,
  );
  return {
    element,
    /** Show `text` beside `target`, both inside `frame`, which does not scroll. */
    show(text, target, frame) {
      setText(title, text.title);
      setText(place, text.place);
      setText(value, text.value);
      element.hidden = false;
      const around = frame.getBoundingClientRect();
      const mark = target.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      const left = mark.left - around.left + mark.width / 2 - own.width / 2;
      const above = mark.top - around.top - own.height - GAP;
      const isRoom = mark.top - own.height - GAP > 0;
      const top = isRoom ? above : mark.bottom - around.top + GAP;
      element.style.left = `${Math.max(2, Math.min(left, around.width - own.width - 2))}px`;
      element.style.top = `${top}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
