import assert from "node:assert/strict";
import { test } from "node:test";

import { createProgress } from "../../web/working/progress.js";
import { createStorage } from "../../web/browser_storage.js";

const STATE = { model: "teaching", edits: {}, switches: {} };

function storage(first = null) {
  let kept = first;
  return createStorage("key", () => ({ getItem: () => kept, setItem: (_, value) => (kept = value) }));
}

test("what was worked out lasts, by sentence and by network", () => {
  const place = storage();
  createProgress(place).solve(STATE, [0, 1], "logits", [1, 3]);
  const later = createProgress(place);
  assert.ok(later.isSolved(STATE, [0, 1], "logits", [1, 3]));
  assert.ok(!later.isSolved(STATE, [4, 1], "logits", [1, 3]));
  assert.ok(!later.isSolved({ ...STATE, switches: { causal_mask: false } }, [0, 1], "logits", [1, 3]));
  assert.ok(!later.isSolved(STATE, [0, 1], "logits", [1, 2]));
});

test("the same cell counts once; forgetting forgets all", () => {
  const progress = createProgress(storage());
  progress.solve(STATE, [0], "logits", [0, 3]);
  progress.solve(STATE, [0], "logits", [0, 3]);
  progress.solve(STATE, [1], "logits", [0, 3]);
  assert.equal(progress.countSolved(STATE, [0], "logits"), 1);
  assert.equal(progress.countAll(), 2);
  progress.forget();
  assert.equal(progress.countAll(), 0);
});

test("stops that hide their results are remembered", () => {
  const place = storage();
  createProgress(place).setHidden("logits", true);
  assert.ok(createProgress(place).isHidden("logits"));
  createProgress(place).setHidden("logits", false);
  assert.ok(!createProgress(place).isHidden("logits"));
});

test("what is not ours, or nothing at all, is an empty beginning", () => {
  const foreign = ['"x"', "{", "null", '{"hidden":1,"solved":{}}', '{"hidden":[],"solved":[]}', '{"hidden":[],"solved":{"a":1}}'];
  for (const text of foreign) assert.equal(createProgress(storage(text)).countAll(), 0, text);
  const forbidden = {
    getItem() {
      throw new Error("forbidden");
    },
    setItem() {
      throw new Error("forbidden");
    },
  };
  const progress = createProgress(createStorage("key", () => forbidden));
  progress.solve(STATE, [0], "logits", [0, 3]);
  assert.equal(progress.countAll(), 1);
});
