/** The cell that a value opens with, where nobody has chosen one. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openingCell } from "../../web/working/opening_cell.js";

const ONE_HEAD = [[[1.2, null, null], [-0.5, 1.1, null], [0.1, 0.2, 0.3]]];

test("of logits, the most probable next word's after the last word", () => {
  const logits = { axes: ["T", "V"] };
  assert.deepEqual(openingCell(logits, [2, 3], [[9, 0, 0], [1.1, -2.7, 2.1]]), [1, 2]);
  assert.deepEqual(openingCell(logits, [1, 3], [[-3, -1, -2]]), [0, 1]);
});

test("of a vector, the last word's number farthest from zero", () => {
  const residual = { axes: ["T", "C"] };
  assert.deepEqual(openingCell(residual, [2, 3], [[9, 0, 0], [1.1, -2.7, 2.1]]), [1, 1]);
  const query = { axes: ["H", "T", "D"] };
  const numbers = [[[0, 0], [0.1, -0.4]], [[9, 9], [9, 9]]];
  assert.deepEqual(openingCell(query, [2, 2, 2], numbers), [0, 1, 1]);
});

test("of scores that are masked, the first masked one", () => {
  const scores = { axes: ["H", "T", "T"] };
  assert.deepEqual(openingCell(scores, [1, 3, 3], ONE_HEAD), [0, 0, 1]);
  const unmasked = ONE_HEAD.map((rows) => rows.map((row) => row.map((score) => score ?? 0)));
  assert.deepEqual(openingCell(scores, [1, 3, 3], unmasked), [0, 2, 2]);
});

test("of one number a word, the last word's", () => {
  assert.deepEqual(openingCell({ axes: ["T"] }, [3], [5, 6, 4]), [2]);
});

test("of a weight, whose numbers are not at hand, the first", () => {
  assert.deepEqual(openingCell({ axes: ["V", "C"] }, [5, 4], undefined), [0, 0]);
  assert.deepEqual(openingCell({ axes: ["C"] }, [4], undefined), [0]);
});

test("of values between those of the trace, the last word's first", () => {
  assert.deepEqual(openingCell({ axes: ["H", "T", "T"] }, [2, 3, 3], undefined), [0, 2, 0]);
});

test("what is hidden does not say where its largest number is", () => {
  assert.deepEqual(openingCell({ axes: ["T", "V"] }, [2, 3], [[1, 2, 3], [NaN, NaN, NaN]]), [1, 0]);
});
