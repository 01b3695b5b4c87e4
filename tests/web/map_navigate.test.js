import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutMap } from "../../web/map/layout.js";
import { nextPlace } from "../../web/map/navigate.js";

const TWO_BLOCKS = { vocab_size: 5, context_length: 8, model_dim: 4, num_heads: 2, num_layers: 2 };
const TEACHING = { ...TWO_BLOCKS, context_length: 2, num_layers: 1 };
const ARROWS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];

const across = layoutMap(TEACHING, 2, 1280);
const down = layoutMap(TEACHING, 2, 390);

function named(board, name, index) {
  const stage = board.stages.findIndex((one) => one.name === name);
  const cell = board.stages[stage].cells.findIndex((one) => `${one.index}` === `${index}`);
  return { stage, cell };
}

function described(board, { stage, cell }) {
  const { name, cells } = board.stages[stage];
  return cell === null ? name : `${name}[${cells[cell].index}]`;
}

function walk(board, place, ...keys) {
  return described(board, keys.reduce((here, key) => nextPlace(board, here, key), place));
}

test("down and up go through a vector, from word to word, and up to the heading", () => {
  const start = named(across, "residual_0", [0, 0]);
  assert.equal(walk(across, start, "ArrowDown"), "residual_0[0,1]");
  assert.equal(walk(across, start, ...Array(4).fill("ArrowDown")), "residual_0[1,0]");
  assert.equal(walk(across, start, ...Array(9).fill("ArrowDown")), "residual_0[1,3]");
  assert.equal(walk(across, start, "ArrowUp"), "residual_0");
  assert.equal(walk(across, start, "ArrowUp", "ArrowDown"), "residual_0[0,0]");
});

test("right and left go on in the same word and channel, stage by stage", () => {
  const start = named(across, "attention_update", [1, 2]);
  assert.equal(walk(across, start, "ArrowRight"), "residual_after_attention[1,2]");
  assert.equal(walk(across, start, "ArrowLeft"), "heads_joined[1,2]");
  assert.equal(walk(across, start, "ArrowLeft", "ArrowLeft"), "head_outputs[1,1,0]");
});

test("inside a matrix, right goes to the next word looked at, then to the next matrix", () => {
  const start = named(across, "scores", [0, 1, 0]);
  assert.equal(walk(across, start, "ArrowRight"), "scores[0,1,1]");
  assert.equal(walk(across, start, "ArrowRight", "ArrowRight"), "masked_scores[0,1,1]");
});

test("between headings: one to the next, home and end, and no further", () => {
  const first = { stage: 0, cell: null };
  assert.equal(walk(across, first, "ArrowRight"), "position_embeddings");
  assert.equal(walk(across, first, "ArrowLeft"), "token_embeddings");
  assert.equal(walk(across, first, "End"), "vocabulary_probs");
  assert.equal(walk(across, first, "End", "ArrowRight"), "vocabulary_probs");
  assert.equal(walk(across, named(across, "ln2", [0, 1]), "Home"), "token_embeddings");
});

test("on the road downwards, down leads on to the next stage", () => {
  const start = named(down, "attention_update", [1, 3]);
  assert.equal(walk(down, start, "ArrowDown"), "residual_after_attention[1,0]");
  assert.equal(walk(down, start, "ArrowLeft"), "attention_update[0,3]");
  assert.equal(walk(down, start, "ArrowRight"), "attention_update[1,3]");
  assert.equal(walk(down, { stage: 3, cell: null }, "ArrowUp"), "residual_0");
});

test("other keys are none of the map's", () => {
  assert.equal(nextPlace(across, { stage: 0, cell: 0 }, "a"), null);
  assert.equal(nextPlace(across, { stage: 0, cell: 0 }, "Tab"), null);
});

test("every cell can be reached by arrow keys, in both directions of the road", () => {
  for (const [config, sequence] of [[TEACHING, 2], [TWO_BLOCKS, 5]]) {
    for (const width of [1280, 390]) {
      const board = layoutMap(config, sequence, width);
      const reached = new Set();
      const waiting = [{ stage: 0, cell: null }];
      while (waiting.length) {
        const place = waiting.pop();
        const name = described(board, place) + place.stage;
        if (reached.has(name)) continue;
        reached.add(name);
        waiting.push(...ARROWS.map((key) => nextPlace(board, place, key)));
      }
      const places = board.stages.reduce((count, { cells }) => count + cells.length + 1, 0);
      assert.equal(reached.size, places, `${sequence} words at ${width} px`);
    }
  }
});

test("stages of a folded block have a heading to land on and no cells", () => {
  const large = { ...TWO_BLOCKS, context_length: 16, model_dim: 32, num_layers: 2 };
  const board = layoutMap(large, 16, 1280);
  const last = board.stages.findIndex(({ key }) => key === "blocks.0.residual_after_ffn");
  const next = nextPlace(board, { stage: last, cell: 31 }, "ArrowRight");
  assert.deepEqual(next, { stage: last + 1, cell: null });
  assert.deepEqual(nextPlace(board, next, "ArrowDown"), next);
});
