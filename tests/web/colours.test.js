import assert from "node:assert/strict";
import { test } from "node:test";

import { probabilityColour, valueColour, wordColour } from "../../web/colours.js";

test("a signed value goes from the surface to blue below zero and to orange above", () => {
  assert.equal(valueColour(-1, 2), "color-mix(in oklab, var(--mg-neg) 50%, var(--mg-surface))");
  assert.equal(valueColour(1, 2), "color-mix(in oklab, var(--mg-pos) 50%, var(--mg-surface))");
  assert.match(valueColour(0, 2), / 0%/);
});

test("a value beyond the scale has the full colour, and a scale of zero none", () => {
  assert.match(valueColour(9, 2), / 100%/);
  assert.match(valueColour(0, 0), / 0%/);
});

test("a masked score has no colour", () => {
  assert.equal(valueColour(null, 2), "var(--mg-surface)");
});

test("a probability has a share of one colour", () => {
  assert.equal(probabilityColour(0.25), "color-mix(in oklab, var(--mg-prob) 25%, var(--mg-surface))");
  assert.match(probabilityColour(2), / 100%/);
  assert.match(probabilityColour(null), / 0%/);
});

test("a word keeps its hue", () => {
  assert.equal(wordColour(3), "var(--mg-word-3)");
});
