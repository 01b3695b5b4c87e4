/** A part that is switched off looks off on the map, and its name says so. */

import { window } from "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createMap } from "../../web/map.js";
import { placed } from "../../web/map/stages.js";
import { partsOf } from "../../web/map/switched_off.js";
import { createStore } from "../../web/state.js";
import { createTranslator } from "../../web/translate.js";
import { viewOf } from "./map_view.js";
import { LANGUAGES, STRINGS } from "./strings.js";

window.Element.prototype.scrollTo = () => {};

const OFF = { zh: "，关", en: ", off" };
const IN_BLOCK = ["ln1", "head.0", "head.1", "attention", "residual_attention", "ln2", "ffn", "residual_ffn"];
const NAMES = (layers) => [
  "position_embedding",
  "causal_mask",
  ...Array.from({ length: layers }, (_, block) => IN_BLOCK.map((name) => `blocks.${block}.${name}`)).flat(),
  "final_norm",
];

function mounted({ view = viewOf([0, 1]), ...state } = {}) {
  const container = document.createElement("div");
  document.body.replaceChildren(container);
  const store = createStore(state);
  const t = createTranslator(STRINGS, () => store.get().lang);
  const map = createMap(container, { store, t });
  store.subscribe(() => map.update(store.get(), view));
  map.update(store.get(), view);
  const all = (selector) => [...container.querySelectorAll(selector)];
  const off = (selector) => all(selector).filter((part) => part.classList.contains("mg-map-off"));
  const heading = (key) => all(`[data-stage="${key}"] > .mg-map-heading`)[0].textContent;
  return { store, all, off, heading };
}

const carried = (parts) => [...new Set(parts.map(({ dataset }) => dataset.carries))];

test("with everything on, nothing is marked", () => {
  const { all } = mounted();
  assert.deepEqual(all(".mg-map-off, .mg-map-through, .mg-map-off-named"), []);
});

for (const lang of LANGUAGES) {
  test(`a part's heading says that it is off (${lang})`, () => {
    const { all, heading } = mounted({ lang, switches: { "blocks.0.ffn": false } });
    const named = all(".mg-map-off-named").map(({ dataset }) => dataset.stage);
    assert.deepEqual(named, ["blocks.0.ffn_hidden", "blocks.0.ffn_activation", "blocks.0.ffn_update"]);
    for (const key of named) assert.ok(heading(key).endsWith(OFF[lang]), heading(key));
    assert.ok(!heading("blocks.0.ln2").includes(OFF[lang]));
    for (const key of named) assert.ok(all(`[data-stage="${key}"]`)[0].getAttribute("aria-label").endsWith(OFF[lang]));
  });

  test(`a head's rows say that it is off (${lang})`, () => {
    const { all, off } = mounted({ lang, switches: { "blocks.0.head.1": false } });
    const rows = all('[data-stage="blocks.0.head_outputs"] [role="row"]');
    assert.deepEqual(rows.map((row) => row.classList.contains("mg-map-off")), [false, false, true, true]);
    assert.deepEqual(rows.map((row) => row.getAttribute("aria-label").endsWith(OFF[lang])), [false, false, true, true]);
    const links = off(".mg-map-link");
    assert.equal(links.length, 4);
    assert.ok(links.every(({ dataset }) => dataset.head === "1"));
    assert.deepEqual(all(".mg-map-off-named"), []);
  });
}

test("attention off: its links, its wires and its plus signs", () => {
  const { off, all } = mounted({ switches: { "blocks.0.attention": false } });
  assert.deepEqual(off(".mg-map-link"), all(".mg-map-link"));
  const wires = carried(off(".mg-map-line"));
  assert.deepEqual(wires.sort(), ["attention_update", "head_outputs", "heads_joined", "ln1"].map((name) => `blocks.0.${name}`));
  assert.deepEqual(carried(off(".mg-map-plus")), ["blocks.0.attention_update"]);
  assert.deepEqual(off(".mg-map-ribbon"), []);
});

test("a residual connection off: the road before its plus sign, not the way to the norm", () => {
  const first = mounted({ switches: { "blocks.0.residual_attention": false } });
  assert.deepEqual(carried(first.off("[data-carries]")), ["residual_0"]);
  assert.deepEqual(first.off(".mg-map-line-leave"), []);
  const second = mounted({ switches: { "blocks.0.residual_ffn": false } });
  assert.deepEqual(carried(second.off(".mg-map-ribbon")), ["blocks.0.residual_after_attention"]);
  assert.deepEqual(partsOf("blocks.1.residual_attention").road, ["blocks.0.residual_after_ffn"]);
});

test("a norm off passes on what it is given; the mask off is a name and an operator", () => {
  const norm = mounted({ switches: { "blocks.0.ln1": false, final_norm: false } });
  assert.deepEqual(norm.all(".mg-map-through").map(({ dataset }) => dataset.stage), ["blocks.0.ln1", "final_hidden"]);
  assert.deepEqual(norm.off("*"), []);
  const mask = mounted({ switches: { causal_mask: false } });
  assert.ok(mask.off("[data-operator]").length > 0);
  assert.ok(mask.off("*").every(({ dataset }) => dataset.operator === "mask"));
  assert.deepEqual(mask.all(".mg-map-off-named").map(({ dataset }) => dataset.stage), ["blocks.0.masked_scores"]);
});

test("switched on again, nothing stays marked or named", () => {
  const { store, all, heading } = mounted({ lang: "en" });
  const before = all("*").map((part) => part.getAttribute("class"));
  store.set({ switches: Object.fromEntries(NAMES(1).map((name) => [name, false])) });
  assert.match(heading("position_embeddings"), /, off$/);
  store.set({ switches: {} });
  assert.deepEqual(all("*").map((part) => part.getAttribute("class") || null), before.map((name) => name || null));
  assert.doesNotMatch(heading("position_embeddings"), /off/);
});

test("the same switches touch nothing: a new word costs nothing here", () => {
  const { store, all } = mounted({ switches: { "blocks.0.ffn": false } });
  const stage = all('[data-stage="blocks.0.ffn_update"]')[0];
  stage.classList.remove("mg-map-off");
  store.set({ tokens: [1, 0] });
  assert.ok(!stage.classList.contains("mg-map-off"));
});

test("every switch names values that there are, or nothing but heads", () => {
  for (const layers of [1, 2]) {
    const keys = new Set(placed(layers).map(({ key }) => key));
    const names = new Set(placed(layers).map(({ value }) => value.name));
    for (const name of NAMES(layers)) {
      const { off, through, named, rows, carried: wires, road } = partsOf(name);
      const stages = [...off, ...through, ...rows.map((row) => row.split("/")[0]), ...wires, ...road];
      for (const key of stages) assert.ok(keys.has(key), `${name}: ${key}`);
      for (const each of named) assert.ok(names.has(each));
      assert.ok(stages.length + named.length > 0, name);
    }
  }
});
