/** Outlines of the chosen and the focused cell, and of the one to choose, above everything, so that no neighbour hides
 * a side of them. */

import { svg } from "../dom.js";

const OUTSIDE = 1; // px around the cell

export function createRings(board) {
  const chosen = createRing("mg-map-ring mg-map-ring-chosen");
  const target = createRing("mg-map-ring mg-map-ring-target");
  const pointed = createRing("mg-map-ring mg-map-ring-pointed");
  const focus = createRing("mg-map-ring mg-map-ring-focus");
  return {
    element: svg(
      "svg",
      { class: "mg-map-rings", width: board.width, height: board.height, "aria-hidden": "true" },
      pointed.element,
      target.element,
      chosen.element,
      focus.element,
    ),
    choose: chosen.around,
    aim: target.around,
    focus: focus.around,
    point: pointed.around,
  };
}

function createRing(name) {
  const element = svg("rect", { class: name, rx: 2 });
  element.style.display = "none";
  return {
    element,
    /** Lie around `cell` ({x, y, w, h}), or around nothing. */
    around(cell) {
      element.style.display = cell ? "" : "none";
      if (!cell) return;
      const { x, y, w, h } = cell;
      element.setAttribute("x", x - OUTSIDE);
      element.setAttribute("y", y - OUTSIDE);
      element.setAttribute("width", w + 2 * OUTSIDE);
      element.setAttribute("height", h + 2 * OUTSIDE);
    },
  };
}
