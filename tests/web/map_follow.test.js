import assert from "node:assert/strict";
import { test } from "node:test";

import { feedingPositions } from "../../web/map/follow.js";

const CAUSAL = [
  [
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0.2, 0.3, 0.5],
  ],
];

/** Two heads, each of which leaves a word out. */
const SPARSE = [
  [
    [1, 0, 0],
    [1, 0, 0],
    [0, 0.5, 0.5],
  ],
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
];

function feeding(blocks, position) {
  const trace = Object.fromEntries(
    blocks.map((probabilities, block) => [`blocks.${block}.attention_probs`, probabilities]),
  );
  const found = feedingPositions(trace, blocks.length, position);
  return (key) => [...found.get(key)].sort();
}

test("the first word is fed by itself alone", () => {
  const at = feeding([CAUSAL], 0);
  for (const key of ["token_embeddings", "blocks.0.value", "blocks.0.ln2", "logits"]) {
    assert.deepEqual(at(key), [0], key);
  }
});

test("other words enter through keys and values, and nowhere after attention", () => {
  const at = feeding([CAUSAL], 2);
  for (const key of ["token_embeddings", "residual_0", "blocks.0.ln1", "blocks.0.key", "blocks.0.value"]) {
    assert.deepEqual(at(key), [0, 1, 2], key);
  }
  for (const name of ["query", "scores", "head_outputs", "attention_update", "ffn_hidden"]) {
    assert.deepEqual(at(`blocks.0.${name}`), [2], name);
  }
  assert.deepEqual(at("vocabulary_probs"), [2]);
});

test("a word that no head looks at does not feed", () => {
  const at = feeding([SPARSE], 2);
  assert.deepEqual(at("blocks.0.value"), [1, 2]);
  assert.deepEqual(at("residual_0"), [1, 2]);
});

test("through two blocks: what feeds those that feed", () => {
  const at = feeding([SPARSE, SPARSE], 2);
  assert.deepEqual(at("blocks.1.value"), [1, 2]);
  assert.deepEqual(at("blocks.0.residual_after_ffn"), [1, 2]);
  assert.deepEqual(at("blocks.0.query"), [1, 2]);
  assert.deepEqual(at("blocks.0.value"), [0, 1, 2]);
  assert.deepEqual(at("residual_0"), [0, 1, 2]);
});

test("every stage has an answer", () => {
  const found = feedingPositions({ "blocks.0.attention_probs": CAUSAL }, 1, 1);
  assert.equal(found.size, 22);
});
