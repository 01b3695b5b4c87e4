import assert from "node:assert/strict";
import { test } from "node:test";

import { number, numberOrMark, scientific } from "../../web/format.js";

test("a number has four decimals and a real minus sign", () => {
  assert.equal(number(0.174225), "0.1742");
  assert.equal(number(-2.739), "\u22122.7390");
  assert.equal(number(2, 0), "2");
});

test("halves go up, of the decimal that is written", () => {
  assert.equal(number(0.05375), "0.0538");
  assert.equal(number(-0.05375), "\u22120.0538");
  assert.equal(number(0.05374), "0.0537");
  assert.equal(number(2.5, 0), "3");
});

test("a hidden value is a question mark", () => {
  assert.equal(numberOrMark(NaN), "?");
  assert.equal(numberOrMark(0.5), "0.5000");
});

test("what rounds to zero has no sign", () => {
  assert.equal(number(-0.00001), "0.0000");
  assert.equal(number(-0), "0.0000");
  assert.equal(number(-0.00001, 5), "\u22120.00001");
});

test("a masked score and other infinities are written as such", () => {
  assert.equal(number(null), "\u2212∞");
  assert.equal(number(-Infinity), "\u2212∞");
  assert.equal(number(Infinity), "∞");
  assert.equal(number(NaN), "NaN");
});

test("a small difference is written in powers of ten", () => {
  assert.equal(scientific(4.77e-7), "4.8 × 10⁻⁷");
  assert.equal(scientific(1.2e10), "1.2 × 10¹⁰");
  assert.equal(scientific(0), "0");
  assert.equal(scientific(null), "—");
});
