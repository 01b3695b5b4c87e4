/** From one model's values to another's: drawn over the final values, from the old ones. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { window } from "./document.js";
import { TEACHING, viewOf } from "./map_view.js";

const { createMap } = await import("../../web/map.js");
const { valueColour } = await import("../../web/colours.js");
const { mapScale } = await import("../../web/map/scale.js");
const { fitting } = await import("../../web/map/stage_view.js");

const TWO_BLOCKS = { ...TEACHING, num_layers: 2, context_length: 8 };
const STATE = { lang: "en", stage: null, cell: null, switches: {} };
let animated = [];
let isStill = false;

beforeEach(() => {
  animated = [];
  isStill = false;
  window.matchMedia = () => ({ matches: isStill });
  window.Element.prototype.animate = function animate(keyframes, options) {
    animated.push({ element: this, keyframes, options });
    return {};
  };
});

function shownMap() {
  const container = document.createElement("div");
  const t = (key) => key;
  t.in = (lang, key) => key;
  const app = { t, store: { get: () => STATE, set: () => {}, subscribe: () => {} }, viewer: {}, initial: { view: viewOf([0, 1]) } };
  return { container, map: createMap(container, app) };
}

const other = (more) => {
  const view = viewOf([0, 1], more);
  return { ...view, model: { ...view.model, id: "trained" } };
};

const cellOf = (container, key, at) => container.querySelectorAll(`[data-stage="${key}"] .mg-map-cell`)[at];

test("a cell goes from its old colour to its new one, and has its new number at once", () => {
  const { container, map } = shownMap();
  const [before, after] = [viewOf([0, 1]), other({ shift: 0.3 })];
  map.update(STATE, before);
  map.update(STATE, after);
  const cell = cellOf(container, "residual_0", 2);
  const [old, now] = [before, after].map((view) => valueColour(view.trace.residual_0[0][2], mapScale(view.trace)));
  assert.equal(cell.style.getPropertyValue("--cell"), now);
  assert.equal(cell.querySelector("text").textContent, fitting(after.trace.residual_0[0][2]));
  const { keyframes, options } = animated.find(({ element }) => element === cell.querySelector("rect"));
  assert.deepEqual(keyframes, { fill: [old, now] });
  assert.ok(options.duration <= 400);
  assert.equal(options.fill, undefined, "nothing of it stays");
});

test("the bars go from the old probability to the new one, also on a map of another shape", () => {
  const { container, map } = shownMap();
  map.update(STATE, viewOf([0, 1]));
  map.update(STATE, other({ shift: 1, config: TWO_BLOCKS }));
  const bar = container.querySelector(".mg-bar");
  const { keyframes } = animated.findLast(({ element }) => element === bar);
  assert.deepEqual(keyframes, { width: ["1%", "2%"] });
});

test("what only the new model has grows in", () => {
  const { container, map } = shownMap();
  map.update(STATE, viewOf([0, 1]));
  map.update(STATE, other({ config: TWO_BLOCKS }));
  const grown = (key) =>
    animated.some(({ element, keyframes }) => element.dataset?.stage === key && keyframes.scale !== undefined);
  assert.ok(container.querySelector('[data-stage="blocks.1.query"]'));
  assert.ok(grown("blocks.1.query"));
  assert.ok(!grown("blocks.0.query"));
});

test("nothing moves for who prefers stillness, for another sentence, or for another step of a training", () => {
  const { map } = shownMap();
  map.update(STATE, viewOf([0, 1]));
  isStill = true;
  map.update(STATE, other({ shift: 0.3 }));
  isStill = false;
  const step = (number) => {
    const view = other({ shift: number / 10 });
    return { ...view, model: { ...view.model, id: `own:${"a".repeat(32)}-${number}` } };
  };
  assert.deepEqual(animated, []);
  map.update(STATE, step(1));
  animated = [];
  map.update(STATE, step(2));
  map.update(STATE, { ...step(2), window: [0, 2], tokens: [0, 2] });
  assert.deepEqual(animated.filter(({ keyframes }) => keyframes.fill || keyframes.width || keyframes.scale), []);
});
