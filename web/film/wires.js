/** The ways that values take on the board: points on the wires behind the cells. */

import { middleOf } from "./copies.js";

const STEPS = [0.2, 0.4, 0.6, 0.8, 1]; // of a wire's length

export function createWires(backdrop) {
  const wires = [...backdrop.element.querySelectorAll(".mg-map-line[data-carries]")].map((line) => ({
    carries: line.dataset.carries,
    position: Number(line.dataset.position),
    path: line.querySelector(".mg-map-wire"),
    points: null,
  }));

  return {
    /** Points on the way from box to box of what `key` holds at `parts`; none where no wire leads there. */
    between(key, parts, from, to) {
      const positions = parts.map((part) => (part.length > 1 ? part[1] : part[0]));
      if (new Set(positions).size !== 1) return [];
      const own = wires.filter(({ carries, position }) => carries === key && position === positions[0]);
      const [start, end] = [middleOf(from), middleOf(to)];
      const direct = distance(start, end);
      const best = own
        .map((wire) => ({ points: pointsOf(wire), left: distance(pointsOf(wire).at(-1), end) }))
        .sort((one, other) => one.left - other.left)[0];
      return best && best.left < direct ? best.points : [];
    },
  };
}

function pointsOf(wire) {
  if (!wire.points) {
    const length = wire.path.getTotalLength();
    wire.points = STEPS.map((share) => wire.path.getPointAtLength(share * length));
  }
  return wire.points;
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
