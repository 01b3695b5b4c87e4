import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readField, readNumber, twoReadings } from "../../web/typed_number.js";

const CASES = JSON.parse(readFileSync(new URL("../typed_numbers.json", import.meta.url), "utf8"));

function valueOf({ value }) {
  if (typeof value !== "string") return value;
  return value.includes("inf") ? Number(value.replace("inf", "Infinity")) : BigInt(value);
}

for (const given of CASES.read) {
  test(`“${given.text}” is read as the server reads it`, () => {
    assert.ok(Object.is(readNumber(given.text), valueOf(given)), String(readNumber(given.text)));
    assert.equal(twoReadings(given.text), null);
  });
}

test("what is no number is null, and a field keeps it as it was typed", () => {
  assert.ok(CASES.refused.length > 20);
  for (const text of CASES.refused) {
    assert.equal(readNumber(text), null, text);
    assert.equal(readField(text), text.trim());
  }
});

test("what could be two numbers is refused with both", () => {
  for (const { text, decimal, whole } of CASES.two_readings) {
    assert.equal(readNumber(text), null);
    assert.deepEqual(twoReadings(text), { value: text.trim(), decimal, whole });
  }
});

test("a field holds a whole number that is too large for a number as its digits", () => {
  assert.equal(readField("９２２３３７２０３６８５４７７５８０７"), "9223372036854775807");
  assert.equal(readField("２"), 2);
  assert.equal(readField("∞"), "∞");
});
