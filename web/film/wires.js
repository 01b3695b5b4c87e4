/** The ways that values take on the board: the corners of the wires behind the cells. */

import { middleOf } from "./copies.js";

const POINT = /(-?[\d.]+) (-?[\d.]+)/g; // of a path's description; a curve's controls lie near it

export function createWires({ lines }) {
  return {
    /** Points on the way from box to box of what `key` holds at `parts`; none where no wire leads there. */
    between(key, parts, from, to) {
      const positions = new Set(parts.map((part) => (part.length > 1 ? part[1] : part[0])));
      if (positions.size !== 1) return [];
      const own = lines.filter(({ carries, position }) => carries === key && positions.has(position));
      const end = middleOf(to);
      const best = own
        .map(({ d }) => pointsOf(d))
        .map((points) => ({ points, left: distance(points.at(-1), end) }))
        .sort((one, other) => one.left - other.left)[0];
      return best && best.left < distance(middleOf(from), end) ? best.points : [];
    },
  };
}

function pointsOf(d) {
  return [...d.matchAll(POINT)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

export function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
