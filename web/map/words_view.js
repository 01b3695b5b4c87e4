/** The words at the road's entrance: buttons that follow a word through the network. */

import { el, setAttribute, setText } from "../dom.js";
import { short } from "./tags.js";

const NARROW = 32; // px: room for one character

export function createWords(board, app, { onPoint, onPin }) {
  const views = board.words.map((place) => createWord(place, { onPoint, onPin }));
  return {
    elements: views.map((view) => view.element),
    update(view, pinned) {
      for (const word of views) word.update(view, pinned, app.t);
    },
  };
}

function createWord({ position, x, y, w, h, first }, { onPoint, onPin }) {
  const style = {
    left: `${x}px`,
    top: `${y}px`,
    width: `${w}px`,
    height: `${h}px`,
  };
  const attributes = first
    ? {
        type: "button",
        onpointerenter: (event) => event.pointerType === "mouse" && onPoint(position),
        onpointerleave: () => onPoint(null),
        onfocus: (event) => event.target.matches(":focus-visible") && onPoint(position),
        onblur: () => onPoint(null),
        onclick: () => onPin(position),
      }
    : { "aria-hidden": "true" };
  const element = el(first ? "button" : "span", {
    class: "mg-map-word",
    style,
    dataset: { position, hue: position },
    ...attributes,
  });
  return {
    element,
    update(view, pinned, t) {
      const word = view.model.words[view.window[position]];
      setText(element, w < NARROW ? short(word, 1) : word);
      element.classList.toggle("mg-map-long", w >= NARROW && [...word].length > 3);
      if (!first) return;
      setAttribute(element, "aria-label", t("map.follow", { word, position }));
      setAttribute(element, "aria-pressed", String(pinned === position));
      element.title = t("map.follow", { word, position });
    },
  };
}
