/** The map's picture shows what is switched off as the page does: struck, faded, dashed. */

import "./document.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mapPicture } from "../../web/take_away/picture.js";
import { themeFrom } from "../../web/take_away/theme.js";
import { window } from "./document.js";
import { viewOf } from "./map_view.js";

const BASE = readFileSync(new URL("../../web/css/base.css", import.meta.url), "utf8");
const THEME = themeFrom((name) => new RegExp(`${name}: (#\\w+);`).exec(BASE)[1]);
const t = Object.assign((key) => key, { glosses: () => ({}) });

/** The picture with these parts off. */
function picture(...names) {
  const switches = Object.fromEntries(names.map((name) => [name, false]));
  const { text } = mapPicture(viewOf([0, 1]), { theme: THEME, t, caption: "c", switches });
  const parsed = new window.DOMParser().parseFromString(text, "application/xml");
  const struck = [...parsed.querySelectorAll('text[text-decoration="line-through"]')].map((one) => one.textContent);
  const count = (selector) => parsed.querySelectorAll(selector).length;
  return { struck, cells: count('rect[stroke-dasharray="2 3"]'), wires: count('path[stroke-dasharray="2 6"]'), roads: count('rect[stroke-dasharray="3 6"]'), pluses: count('circle[stroke-dasharray="2 2"]') };
}

test("with everything on nothing is struck or cut", () => {
  assert.deepEqual(picture(), { struck: [], cells: 0, wires: 0, roads: 0, pluses: 0 });
});

test("a head that is off has its cells and links cut", () => {
  const { struck, cells, wires } = picture("blocks.0.head.1");
  assert.deepEqual(struck, []);
  assert.equal(cells, 4 * 2 * 2 + 3 * 2 * 2); // four values of two channels, three matrices
  assert.ok(wires > 0);
});

test("the whole attention, the FFN, a residual connection, a norm and the mask", () => {
  const attention = picture("blocks.0.attention");
  assert.ok(attention.struck.includes("map.heading.update") && attention.struck.includes("map.stage.query"));
  assert.equal(attention.pluses, 2);
  assert.ok(picture("blocks.0.ffn").struck.includes("map.stage.ffn_hidden"));
  assert.ok(picture("blocks.0.residual_attention").roads > 0);
  const norm = picture("final_norm");
  assert.ok(norm.struck.includes("map.stage.final_hidden") && norm.cells === 8);
  const mask = picture("causal_mask").struck;
  assert.ok(mask.includes("map.stage.masked_scores") && mask.includes("map.operator.mask"));
});
