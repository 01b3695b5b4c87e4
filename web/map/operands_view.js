/** Lines from the cells that a working reads to the cell that it computes, and rings around them. */

import { replace, svg } from "../dom.js";
import { cellAt } from "./cell_at.js";

const MOST = 40; // lines that can still be told apart
const OUTSIDE = 1; // px around a cell

/**
 * @param {object[]} views of the stages
 * @returns `element`, `show(refs, chosen)` with `refs`: {key, cell}[] and the chosen cell's
 *   rectangle or null, and `point(ref|null)`: the one that the pointer is on in the card
 */
export function createOperands(board, views) {
  const element = svg("svg", {
    class: "mg-map-operands",
    width: board.width,
    height: board.height,
    "aria-hidden": "true",
  });
  let marks = new Map(); // id -> group

  return {
    element,
    show(refs, chosen) {
      marks = new Map();
      for (const ref of chosen ? refs : []) {
        const from = cellAt(views, ref);
        if (!from || from === chosen || marks.has(idOf(ref)) || marks.size === MOST) continue;
        marks.set(idOf(ref), mark(from, chosen, board.downwards));
      }
      replace(element, [...marks.values()]);
    },
    point(ref) {
      const pointed = ref && marks.get(idOf(ref));
      for (const group of marks.values()) group.classList.toggle("mg-map-pointed", group === pointed);
    },
  };
}

const idOf = ({ key, cell }) => `${key} ${cell}`;

function mark(from, to, downwards) {
  const { x, y, w, h } = from;
  return svg(
    "g",
    { class: "mg-map-operand" },
    svg("rect", { x: x - OUTSIDE, y: y - OUTSIDE, width: w + 2 * OUTSIDE, height: h + 2 * OUTSIDE, rx: 2 }),
    svg("path", { d: between(from, to, downwards) }),
  );
}

/** A curve from the side of `from` that looks at `to`, to that of `to`. */
function between(from, to, downwards) {
  const isUpright = Math.abs(middle(from).x - middle(to).x) < (from.w + to.w) / 2 || downwards;
  const [start, end] = isUpright ? edges(from, to, "y", "h") : edges(from, to, "x", "w");
  const turn = isUpright
    ? [[start.x, (start.y + end.y) / 2], [end.x, (start.y + end.y) / 2]]
    : [[(start.x + end.x) / 2, start.y], [(start.x + end.x) / 2, end.y]];
  const points = [[start.x, start.y], ...turn, [end.x, end.y]].map(([x, y]) => `${round(x)} ${round(y)}`);
  return `M${points[0]}C${points.slice(1).join(",")}`;
}

/** The points where a line along `axis` leaves one rectangle and reaches the other. */
function edges(from, to, axis, size) {
  const [start, end] = [middle(from), middle(to)];
  const way = Math.sign(end[axis] - start[axis]);
  return [
    { ...start, [axis]: start[axis] + (way * from[size]) / 2 },
    { ...end, [axis]: end[axis] - (way * to[size]) / 2 },
  ];
}

const middle = ({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 });
const round = (value) => Math.round(value * 10) / 10;
