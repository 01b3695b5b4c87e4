/** Addresses that nobody wrote by hand: read without an exception, and read again the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf, readAddress } from "../../web/address.js";
import { DEFAULT_STATE } from "../../web/state.js";

const CASES = 5000;
const INITIAL = {
  view: { model: { words: ["我", "喜欢", "AI", "学习", "猫"] } },
  limits: { tokens: 256, text: 2000, count: 64 },
  engines: ["onnxruntime", "torch"],
  models: ["teaching"],
  panels: [{ id: "compare", shows_results: true }],
  languages: ["zh", "en"],
};
const KEYS = [...Object.keys(DEFAULT_STATE), "v", "__theme", "__proto__", "constructor"];
const PIECES = [
  "0", "1", "-1", "4", "256", "1e308", "1e999", "NaN", "-", ".", "~", "*", ",", "", " ", "true",
  "false", "lm_head.weight", "blocks.0.query", "__proto__", "constructor", "prototype", "sample",
  "argmax", "sentence~", "unchanged~0-1~", "causal_mask", "dropout", "torch", "teaching", "own:1", "zh", "<img>", "${1}", "%",
  "%E0%A4%A", "\u202e", "\u{1f469}\u200d", "\ud800", "&", "=", "?", "#", "9".repeat(400),
];

/** Numbers in [0, 1) from a seed (mulberry32), so that a failure is the same again. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function address(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const value = () => Array.from({ length: Math.floor(random() * 7) }, () => pick(PIECES)).join("");
  const escape = (text) => (random() < 0.5 ? encodeURIComponent(text.toWellFormed()) : text);
  const pairs = Array.from({ length: Math.floor(random() * 6) }, () => {
    return `${pick(KEYS)}=${escape(value())}`;
  });
  return `?${random() < 0.7 ? "v=1&" : ""}${pairs.join("&")}`;
}

test("every address is read, and what was read is written the same again", () => {
  const random = generator(1);
  for (let n = 0; n < CASES; n++) {
    const search = address(random);
    const { state, ignored } = readAddress(search, INITIAL);
    assert.ok(Object.keys(state).every((key) => Object.hasOwn(DEFAULT_STATE, key)), search);
    assert.ok(Array.isArray(ignored), search);
    const whole = { ...DEFAULT_STATE, ...state };
    const again = readAddress(addressOf(whole), INITIAL);
    assert.deepEqual(again.ignored, [], search);
    assert.deepEqual({ ...DEFAULT_STATE, ...again.state }, whole, search);
  }
  assert.equal({}.polluted, undefined);
});
