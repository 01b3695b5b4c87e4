/** Colours of a file: mixed as a browser mixes them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lightness, resolved } from "../../web/take_away/colours.js";

test("colours, variables and mixes of mixes become six digits", () => {
  const variables = { "--a": "#fff", "--b": "var(--c)", "--c": "#1D1E22" };
  assert.equal(resolved("#ABCDEF", {}), "#abcdef");
  assert.equal(resolved(" var(--a)", variables), "#ffffff");
  assert.equal(resolved("var(--b)", variables), "#1d1e22");
  assert.equal(resolved("color-mix(in oklab, var(--b) 100%, var(--a))", variables), "#1d1e22");
  assert.equal(resolved("color-mix(in oklab, var(--b) 0%, var(--a))", variables), "#ffffff");
  const nested = resolved("color-mix(in oklab, var(--b) 0%, color-mix(in oklab, #102030 100%, #fff))", variables);
  assert.equal(nested, "#102030");
});

test("a mix is that of the standard: half red, half blue in OKLab", () => {
  // Of css-color-4's definitions: red is L 0.628, a 0.2249, b 0.1258; blue 0.452, −0.0325, −0.3115.
  assert.equal(resolved("color-mix(in oklab, #ff0000 50%, #0000ff)", {}), "#8c53a2");
});

test("what is no colour is an error, not black", () => {
  for (const text of ["", "red", "var(--x)", "rgb(1, 2, 3)"]) assert.throws(() => resolved(text, {}), /no colour/);
});

test("lightness goes from black to white", () => {
  assert.ok(Math.abs(lightness("#000000")) < 1e-6);
  assert.ok(Math.abs(lightness("#ffffff") - 1) < 1e-6);
  assert.ok(Math.abs(lightness("#ff0000") - 0.628) < 1e-3);
});
