/** The words at the road's entrance: buttons that follow a word through the network. */

import { el, setAttribute, setText } from "../dom.js";
import { showGloss, withGloss } from "../glosses.js";
import { short } from "./tags.js";

const NARROW = 38; // px: room for one character
const ROOM_FOR_GLOSS = { w: 44, h: 34 }; // px

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
      if (w >= ROOM_FOR_GLOSS.w && h >= ROOM_FOR_GLOSS.h) showGloss(element, word, t);
      if (!first) return;
      const name = t("map.follow", { word: withGloss(word, t), position });
      setAttribute(element, "aria-label", name);
      setAttribute(element, "aria-pressed", String(pinned === position));
      element.title = name;
    },
  };
}
