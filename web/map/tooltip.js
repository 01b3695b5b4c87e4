/** The tooltip beside the cell or link under the pointer. */

import { el, setText } from "../dom.js";

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
  function retell(text) {
    setText(title, text.title);
    setText(place, text.place);
    setText(value, text.value);
  }

  return {
    element,
    /** Another text at the same place. */
    retell,
    /** Show `text` beside `mark` (a rectangle on the screen), inside `frame`. */
    show(text, mark, frame) {
      retell(text);
      element.hidden = false;
      const around = frame.getBoundingClientRect();
      const { x, y } = besides(mark, around, element.getBoundingClientRect());
      element.style.left = `${x - around.left}px`;
      element.style.top = `${y - around.top}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** Right of the mark, else left of it (bars that stick to the screen's top hide neither). */
function besides(mark, around, own) {
  const y = mark.top + mark.height / 2 - own.height / 2;
  const right = mark.right + GAP;
  if (right + own.width <= around.right) return { x: right, y };
  const left = mark.left - GAP - own.width;
  if (left >= around.left) return { x: left, y };
  const middle = mark.left + mark.width / 2 - own.width / 2;
  const x = Math.max(around.left, Math.min(middle, around.right - own.width));
  return { x, y: mark.top - own.height - GAP };
}
