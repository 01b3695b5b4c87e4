import assert from "node:assert/strict";
import { test } from "node:test";

import { mapScale } from "../../web/map/scale.js";

test("a round figure that nine of ten values stay within", () => {
  const values = Array.from({ length: 100 }, (_, place) => (place % 2 ? -place : place) / 10);
  assert.equal(mapScale({ residual_0: [values] }), 10);
  assert.equal(mapScale({ residual_0: [[1.9, 1.7, -1.6]] }), 2);
  assert.equal(mapScale({ residual_0: [[0.01, -0.02]] }), 0.5);
});

test("one large value does not pale all others", () => {
  const small = Array.from({ length: 99 }, () => 0.9);
  assert.equal(mapScale({ residual_0: [[...small, 1000]] }), 1);
});

test("masked scores, zeros and probabilities count for nothing", () => {
  assert.equal(
    mapScale({
      "blocks.0.masked_scores": [[[0.4, null]]],
      "blocks.0.attention_probs": [[[1, 1, 1, 1]]],
      vocabulary_probs: [[1, 1, 1]],
      "blocks.0.ffn_hidden": [[0, 0, 0, 0]],
    }),
    0.5,
  );
});
