/** Lines on the map from the cells that the open working reads to the cell it computes. */

import { window } from "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createMap } from "../../web/map.js";
import { createStore } from "../../web/state.js";
import { createTranslator } from "../../web/translate.js";
import { viewOf } from "./map_view.js";
import { STRINGS } from "./strings.js";

window.Element.prototype.scrollTo = () => {};

/** Head 1's output of the last word: each probability of its row, and each V of the channel. */
const CHOSEN = { stage: "blocks.0.head_outputs", cell: [0, 1, 0] };
const READ = [0, 1].flatMap((position) => [
  { key: "blocks.0.attention_probs", cell: [0, 1, position] },
  { key: "blocks.0.value", cell: [0, position, 0] },
]);

function mounted(state = CHOSEN) {
  const container = document.createElement("div");
  document.body.replaceChildren(container);
  const store = createStore(state);
  const view = viewOf([0, 1]);
  const map = createMap(container, { store, t: createTranslator(STRINGS, () => store.get().lang) });
  store.subscribe(() => map.update(store.get(), view));
  map.update(store.get(), view);
  const groups = () => [...container.querySelectorAll(".mg-map-operand")];
  return { container, store, map, view, groups };
}

const boxOf = (rect, outside = 0) =>
  Object.fromEntries(
    Object.entries({ x: outside, y: outside, width: -2 * outside, height: -2 * outside }).map(([name, more]) => [
      name,
      Number(rect.getAttribute(name)) + more,
    ]),
  );

/** The numbers of a line: where it begins, how it turns, where it ends. */
const ends = (group) => group.querySelector("path").getAttribute("d").match(/-?[\d.]+/g).map(Number);

test("a line and a ring for each cell that the working reads, once", () => {
  const { map, groups } = mounted();
  assert.equal(groups().length, 0);
  map.marks.markOperands([...READ, READ[0]]);
  assert.equal(groups().length, READ.length);
  const rings = groups().map((group) => JSON.stringify(boxOf(group.querySelector("rect"))));
  assert.equal(new Set(rings).size, READ.length, "each around its own cell");
});

test("every line ends at the chosen cell and begins at the cell it comes from", () => {
  const { map, groups } = mounted();
  map.marks.markOperands(READ);
  const targets = groups().map((group) => ends(group).slice(-2));
  assert.ok(targets.length > 1);
  for (const group of groups()) {
    const [x, y] = ends(group);
    const ring = boxOf(group.querySelector("rect"));
    const isOn = (at, from, size) => at >= from - 0.1 && at <= from + size + 0.1;
    assert.ok(isOn(x, ring.x, ring.width) && isOn(y, ring.y, ring.height), `${x} ${y} in ${JSON.stringify(ring)}`);
  }
  const spread = [0, 1].map((axis) => {
    const at = targets.map((target) => target[axis]);
    return Math.max(...at) - Math.min(...at);
  });
  assert.ok(spread.every((px) => px < 80), `one cell is ${spread} px large`);
});

test("a weight and the chosen cell itself have no line", () => {
  const { map, groups } = mounted();
  map.marks.markOperands([
    { key: "lm_head.weight", cell: [0, 0] },
    { key: CHOSEN.stage, cell: CHOSEN.cell },
    READ[0],
  ]);
  assert.equal(groups().length, 1);
});

test("the one pointed at in the working is marked, whichever way its index is written", () => {
  const { map, groups } = mounted();
  map.marks.markOperands(READ);
  const pointed = () => groups().map((group) => group.classList.contains("mg-map-pointed"));
  map.marks.pointOperand({ key: READ[1].key, cell: READ[1].cell.join(",") });
  assert.deepEqual(pointed(), [false, true, false, false]);
  map.marks.pointOperand(null);
  assert.deepEqual(pointed(), [false, false, false, false]);
});

test("when another cell is chosen the lines are gone until its working has come", () => {
  const { map, store, groups } = mounted();
  map.marks.markOperands(READ);
  store.set({ stage: "logits", cell: [1, 3] });
  assert.equal(groups().length, 0);
  const hidden = Array.from({ length: 4 }, (_, channel) => ({ key: "final_hidden", cell: [1, channel] }));
  map.marks.markOperands(hidden);
  assert.equal(groups().length, 4);
  store.set({ stage: null, cell: null });
  assert.equal(groups().length, 0);
});

test("the lines are not for a screen reader: the working says the same", () => {
  const { container } = mounted();
  assert.equal(container.querySelector(".mg-map-operands").getAttribute("aria-hidden"), "true");
});
