import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutMap } from "../../web/map/layout.js";
import { headDash, linkShapes } from "../../web/map/links.js";

const TEACHING = { vocab_size: 5, context_length: 2, model_dim: 4, num_heads: 2, num_layers: 1 };
/** Prompt A of the lesson: attention_probs of head 1 and head 2. */
const LESSON = [
  [
    [1, 0],
    [0.1575, 0.8425],
  ],
  [
    [1, 0],
    [0.0349, 0.9651],
  ],
];

/** Three words, with numbers that are no network's. */
const THREE = [
  [
    [1, 0, 0],
    [0.25, 0.75, 0],
    [0.5, 0.125, 0.375],
  ],
];

function shapesFor(width) {
  const board = layoutMap(TEACHING, 2, width);
  return { board, shapes: linkShapes(board.anchors, LESSON, board.downwards) };
}

test("a link is as wide as its probability, and as opaque", () => {
  for (const width of [390, 1280]) {
    const { board, shapes } = shapesFor(width);
    shapes.forEach((shape, place) => {
      const { head, from, to, full } = board.anchors[place];
      const probability = LESSON[head][to][from];
      assert.equal(shape.probability, probability);
      assert.equal(shape.opacity, probability);
      assert.equal(shape.width, probability * full);
    });
    assert.equal(new Set(board.anchors.map(({ full }) => full)).size, 1, "one measure for all");
  }
});

test("a masked word has no link", () => {
  const { shapes } = shapesFor(1280);
  const hidden = shapes.filter(({ visible }) => !visible).map(({ from, to }) => [from, to]);
  assert.deepEqual(hidden, [
    [1, 0],
    [1, 0],
  ]);
});

test("a link leads from the word looked at to the looking word", () => {
  const { board, shapes } = shapesFor(1280);
  const stage = (name) => board.stages.find((one) => one.name === name);
  const cellsOf = (name, head, position) =>
    stage(name).cells.filter(({ index }) => index[0] === head && index[1] === position);
  for (const { head, from, to, d } of shapes.filter(({ visible }) => visible)) {
    const numbers = d.match(/-?[\d.]+/g).map(Number);
    const [start, end] = [numbers.slice(0, 2), numbers.slice(-2)];
    assert.ok(isBeside(start, cellsOf("value", head, from)), `start of ${from} to ${to}`);
    assert.ok(isBeside(end, cellsOf("head_outputs", head, to)), `end of ${from} to ${to}`);
  }
});

/** Whether a point lies on the level of these cells. */
function isBeside([, y], cells) {
  const top = Math.min(...cells.map((cell) => cell.y));
  const bottom = Math.max(...cells.map((cell) => cell.y + cell.h));
  return y >= top && y <= bottom;
}

test("the links that arrive at one output lie side by side and fill its width", () => {
  const anchors = [0, 1, 2].map((from) => ({
    block: 0,
    head: 0,
    from,
    to: 2,
    start: { x: 0, y: from * 50 },
    end: { x: 200, y: 120 },
    full: 40,
  }));
  const bands = linkShapes(anchors, THREE, false).map(({ d, width }) => {
    const y = Number(d.match(/-?[\d.]+/g).at(-1));
    return [y - width / 2, y + width / 2];
  });
  assert.deepEqual(bands, [
    [100, 120],
    [120, 125],
    [125, 140],
  ]);
  const [{ d }] = linkShapes(anchors, THREE, true);
  assert.ok(d.endsWith("190 120"), "downwards, they lie side by side along x");
});

test("heads differ in their stroke, not in colour alone", () => {
  const dashes = [0, 1, 2, 3].map(headDash);
  assert.equal(new Set(dashes).size, 4);
  assert.equal(dashes[0], "", "the first is solid");
});
