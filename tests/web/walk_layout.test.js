import assert from "node:assert/strict";
import { test } from "node:test";

import { keyOf, walkLayout } from "../../web/panels/prompts/walk_layout.js";

/** Two cycles, (a b) and (c); d, e -> a; f -> d; g -> c; h leads out of what is known. */
const NODES = [
  [1, 2, 0, 0], [2, 1, 0, 0], [3, 3, 0, 1], [4, 1, 1, 0], [5, 1, 1, 0], [6, 4, 2, 0], [7, 3, 1, 1],
].map(([window, after, steps, cycle]) => ({ window: [window], after: [after], steps, cycle }));
const UNKNOWN = { window: [8], after: [9], steps: null, cycle: null };
const CYCLES = [[[1], [2]], [[3]]];

const at = (layout, window) => layout.places.get(keyOf([window]));

test("every window whose cycle is known has a place of its own", () => {
  const { places, rows, columns } = walkLayout([...NODES, UNKNOWN], CYCLES);
  assert.equal(places.size, NODES.length);
  const spots = [...places.values()].map(({ column, row }) => `${column} ${row}`);
  assert.equal(new Set(spots).size, NODES.length);
  assert.equal(columns, 3);
  assert.ok([...places.values()].every(({ row }) => row >= 0 && row <= rows - 1));
});

test("a window stands one column left of its successor, a cycle in the last column", () => {
  const layout = walkLayout(NODES, CYCLES);
  for (const { window, after, steps } of NODES) {
    const own = at(layout, window[0]).column;
    if (steps === 0) assert.equal(own, layout.columns - 1);
    else assert.equal(own, at(layout, after[0]).column - 1);
  }
});

test("a successor stands between what leads to it", () => {
  const layout = walkLayout(NODES, CYCLES);
  const [top, bottom] = [at(layout, 4).row, at(layout, 5).row];
  assert.equal(at(layout, 1).row, (top + bottom) / 2);
});

test("a walk without a known cycle is empty, not broken", () => {
  assert.equal(walkLayout([UNKNOWN], []).places.size, 0);
});
