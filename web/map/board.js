/**
 * What a layout hands to the drawing: rectangles, lines and points in px, no values.
 *
 * stages: {…stage, cells, box, label: {x, y, w, h, wraps}, digits: shown?, place: "road"|"side"}; a
 *   folded block's stages have a label and no cells
 * ribbons: the road, {position, carries: stage key, line, x, y, w, h}
 * lines: {position, carries, kind, d, tip: {x, y, turn}|null, dot: {x, y}|undefined}
 * pluses: {x, y, r, position, adds: stage key}
 * anchors: by block, see links.js
 * panels: {kind, block, x, y, w, h, titleX, titleY}
 * words: {position, x, y, w, h, first: whether it is the word's entrance}
 * tags: small texts {kind, x, y, anchor, position|head|operator|slot, most: characters}
 * answer, legend: {x, y, w, h}; null where there is no corner for the legend
 */

import { boxOf } from "./place.js";
import { stagesOf } from "./stages.js";

export function createBoard(config, sequence, sizes, downwards) {
  return {
    config,
    sequence,
    sizes,
    downwards,
    width: 0,
    height: 0,
    stages: stagesOf(config, sequence),
    ribbons: [],
    lines: [],
    pluses: [],
    anchors: [],
    panels: [],
    words: [],
    tags: [],
    answer: null,
    legend: null,
  };
}

/** The board with the values that have a place on it; the working area shows the others. */
export function drawn(board) {
  return { ...board, stages: board.stages.filter(({ cells }) => cells) };
}

/** The stage of the board called `name` in `block` (null outside the blocks). */
export function stageNamed(board, name, block = null) {
  return board.stages.find((stage) => stage.name === name && stage.block === block);
}

/** Give a stage its cells and the place of its heading. */
export function settle(board, name, block, { cells, label, digits, place }) {
  const stage = stageNamed(board, name, block);
  Object.assign(stage, { cells, label, digits, place, box: cells.length ? boxOf(cells) : null });
  return stage;
}

/** A polyline with rounded corners. */
export function wire(points, radius = 6) {
  const parts = [`M${at(points[0])}`];
  for (let i = 1; i < points.length - 1; i += 1) {
    const [before, corner, after] = [points[i - 1], points[i], points[i + 1]];
    const turn = Math.min(radius, distance(before, corner) / 2, distance(corner, after) / 2);
    parts.push(`L${at(towards(corner, before, turn))}`);
    parts.push(`Q${at(corner)} ${at(towards(corner, after, turn))}`);
  }
  parts.push(`L${at(points.at(-1))}`);
  return parts.join("");
}

function towards(from, to, length) {
  const whole = distance(from, to) || 1;
  return [
    from[0] + ((to[0] - from[0]) * length) / whole,
    from[1] + ((to[1] - from[1]) * length) / whole,
  ];
}

function distance(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function at([x, y]) {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
