import assert from "node:assert/strict";
import { test } from "node:test";

import { mapScale } from "../../web/map/scale.js";
import { stagesOf } from "../../web/map/stages.js";
import { numbersOf, unpacked } from "../../web/trace_bytes.js";
import { viewOf } from "./map_view.js";

const CONFIG = { vocab_size: 5, context_length: 8, model_dim: 8, num_heads: 2, num_layers: 2 };
const WINDOW = [0, 1, 4];

/** As ui/views.py packs it. */
function packed(view, block) {
  const stages = stagesOf(CONFIG, WINDOW.length).filter(
    (stage) => block === undefined || stage.block === null || stage.block === block || stage.name.startsWith("residual_"),
  );
  const numbers = stages.flatMap(({ key }) => view.trace[key].flat(Infinity)).map((each) => each ?? -Infinity);
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  const answer = { ...view, trace: { float32: Buffer.from(bytes).toString("base64") } };
  return block === undefined ? answer : { ...answer, block };
}

function rounded(tensor) {
  if (Array.isArray(tensor)) return tensor.map(rounded);
  return tensor === null ? null : Math.fround(tensor);
}

test("bytes become the lists that they were made of, a masked score null", () => {
  const view = viewOf(WINDOW, { config: CONFIG });
  const { trace } = unpacked(packed(view));
  assert.deepEqual(Object.keys(trace), Object.keys(view.trace));
  for (const key of Object.keys(trace)) assert.deepEqual(trace[key], rounded(view.trace[key]), key);
});

test("of one block come its values, and the residual stream of all", () => {
  const view = viewOf(WINDOW, { config: CONFIG });
  const { trace } = unpacked(packed(view, 1));
  assert.equal(trace["blocks.0.query"], undefined);
  for (const key of ["residual_0", "blocks.0.residual_after_ffn", "blocks.1.masked_scores", "logits"]) {
    assert.deepEqual(trace[key], rounded(view.trace[key]), key);
  }
});

test("views inside an answer are unpacked too, and small ones stay as they are", () => {
  const view = viewOf(WINDOW, { config: CONFIG });
  assert.ok(unpacked({ next_id: 1, view: packed(view) }).view.trace.logits);
  assert.equal(unpacked({ view }).view, view);
  assert.equal(unpacked({ view: { trace: null } }).view.trace, null);
});

test("a scale is the same of bytes and of lists", () => {
  const view = viewOf(WINDOW, { config: CONFIG });
  const lists = Object.fromEntries(Object.entries(view.trace).map(([key, tensor]) => [key, rounded(tensor)]));
  const { trace } = unpacked(packed(view));
  assert.equal(mapScale(trace), mapScale(lists));
  assert.equal(numbersOf(trace, "logits").length, 15);
});
