/** Copies of cells that travel over the board, drawn from the trace's values. */

import { el, svg } from "../dom.js";
import { fitting } from "../map/stage_view.js";
import { boxOf } from "../map/place.js";
import { valueAt } from "../map/stages.js";

const MOST_DRAWN = 160; // cells; a copy of more is one plain rectangle
const HALF_DIGIT = 0.36; // half a digit's height, in em

/** The cells of a stage's view that lie in one of `parts`. */
export function cellsIn(view, parts) {
  return view.cells.filter(({ current }) => parts.some((part) => part.every((place, axis) => current[axis] === place)));
}

/** The smallest box around the cells of `parts`; null where the board does not show them. */
export function boxIn(view, parts) {
  const cells = view ? cellsIn(view, parts) : [];
  return cells.length ? boxOf(cells) : null;
}

/** `{element, box}`: an element at `box` that shows the cells of `parts`, or null. */
export function copyOf(view, parts, trace) {
  const cells = view ? cellsIn(view, parts) : [];
  if (!cells.length) return null;
  const box = boxOf(cells);
  const isPlain = cells.length > MOST_DRAWN || !cells[0].element;
  const drawn = isPlain ? null : cells.map((cell) => drawCell(cell, valueAt(trace[view.stage.key], cell.current)));
  const picture = svg("svg", { viewBox: `${box.x} ${box.y} ${box.w} ${box.h}`, width: box.w, height: box.h }, drawn);
  return { element: placed(isPlain ? "mg-film-copy mg-film-plain" : "mg-film-copy", box, picture), box };
}

function drawCell({ x, y, w, h, element, text }, value) {
  const fill = element.style.getPropertyValue("--cell");
  const digits = text && svg(
    "text",
    { class: "mg-map-digits", x: text.getAttribute("x"), y: y + h / 2 + text.getAttribute("font-size") * HALF_DIGIT, "font-size": text.getAttribute("font-size"), "text-anchor": "end" },
    fitting(value),
  );
  return svg("g", { style: { "--cell": fill } }, svg("rect", { class: "mg-map-rect", x, y, width: w, height: h }), digits);
}

/** An element that covers `box` ({x, y, w, h} on the board, in px). */
export function placed(name, { x, y, w, h }, ...children) {
  const style = { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` };
  return el("div", { class: name, style }, ...children);
}

export function middleOf({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}
