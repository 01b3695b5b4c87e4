import assert from "node:assert/strict";
import { test } from "node:test";

import { countEdits, countSwitches, editsWithin, editsWithout, merged, toggled } from "../../web/changes.js";

const QKV = "blocks.0.attention.qkv.weight";
const EDITS = { [QKV]: { "0,1": 2, "5,3": -1, "11,0": 4 }, "lm_head.bias": { 0: 0.5 } };
const KEY = { parameter: QKV, first: 4, count: 4 };

test("edits and switches are counted", () => {
  assert.equal(countEdits(EDITS), 4);
  assert.equal(countEdits({}), 0);
  assert.equal(countSwitches({}), 0);
  assert.equal(countSwitches({ final_norm: false, causal_mask: true, dropout: 0.1, dropout_seed: 3 }), 2);
  assert.equal(countSwitches({ dropout: 0, dropout_seed: 3 }), 0);
});

test("a switch switches over and back, the others stay", () => {
  const off = toggled({ causal_mask: false }, "final_norm");
  assert.deepEqual(off, { causal_mask: false, final_norm: false });
  assert.deepEqual(toggled(off, "final_norm"), { causal_mask: false });
});

test("typed cells come on top, and a null takes its cell away", () => {
  assert.deepEqual(merged(EDITS, { "lm_head.bias": { 0: null } }), { [QKV]: EDITS[QKV] });
  assert.deepEqual(merged(EDITS, { "lm_head.bias": { 0: 2, 1: 3 } })["lm_head.bias"], { 0: 2, 1: 3 });
  assert.deepEqual(merged({}, { a: { 0: 1, 1: null } }), { a: { 0: 1 } });
  assert.equal(countEdits(EDITS), 4); // nothing given is changed
});

test("a table is the part of its parameter that it shows", () => {
  assert.deepEqual(editsWithin(EDITS, KEY), { "5,3": -1 });
  assert.deepEqual(editsWithin({}, KEY), {});
});

test("resetting a table leaves the other parts of the parameter", () => {
  assert.deepEqual(editsWithout(EDITS, KEY), { ...EDITS, [QKV]: { "0,1": 2, "11,0": 4 } });
  const bias = { parameter: "lm_head.bias", first: 0, count: 5 };
  assert.deepEqual(editsWithout(EDITS, bias), { [QKV]: EDITS[QKV] });
  assert.deepEqual(editsWithout({}, bias), {});
});
