import { window } from "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { number } from "../../web/format.js";
import { createMap } from "../../web/map.js";
import { createStore } from "../../web/state.js";
import { createTranslator } from "../../web/translate.js";
import { TEACHING, viewOf, WORDS } from "./map_view.js";
import { LANGUAGES, STRINGS } from "./strings.js";

Object.assign(window.Element.prototype, { scrollTo() {}, scrollIntoView() {} });

function mounted(view = viewOf([0, 1]), state = {}) {
  const container = document.createElement("div");
  document.body.replaceChildren(container);
  const store = createStore(state);
  const t = createTranslator(STRINGS, () => store.get().lang);
  const map = createMap(container, { store, t });
  const all = (selector) => [...container.querySelectorAll(selector)];
  const stage = (key) => container.querySelector(`[data-stage="${key}"]`);
  const cells = (key) => [...stage(key).querySelectorAll('[role="gridcell"]')];
  let shown = view;
  store.subscribe(() => map.update(store.get(), shown));
  const show = (next) => {
    shown = next;
    map.update(store.get(), shown);
  };
  show(view);
  return { container, store, map, show, all, stage, cells };
}

function press(target, key) {
  target.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

test("every cell says its word, its channel and its value to four decimals", () => {
  const view = viewOf([0, 1]);
  const { cells } = mounted(view);
  const names = cells("residual_0").map((cell) => cell.getAttribute("aria-label"));
  const expected = [0, 1].flatMap((position) =>
    [0, 1, 2, 3].map(
      (channel) =>
        `${WORDS[position]}（位置 ${position}），通道 ${channel}：` +
        number(view.trace.residual_0[position][channel]),
    ),
  );
  assert.deepEqual(names, expected);
});

test("grids have rows of cells, and headings are buttons, in the order of the trace", () => {
  const { all, container } = mounted();
  const keys = all("[data-stage]").map((stage) => stage.dataset.stage);
  assert.deepEqual(keys, Object.keys(viewOf([0, 1]).trace));
  for (const grid of all('[role="grid"]')) {
    assert.ok([...grid.children].every((row) => row.getAttribute("role") === "row"));
  }
  assert.equal(container.querySelectorAll(".mg-map-heading").length, 22);
  const heading = container.querySelector('[data-stage="blocks.0.attention_update"] button');
  assert.match(heading.textContent, /^更新 attention_update$/);
});

test("a click on a cell opens it: the stage's key and the index without the batch axis", () => {
  const { store, cells } = mounted();
  cells("blocks.0.attention_probs")[2].dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
  assert.equal(store.get().stage, "blocks.0.attention_probs");
  assert.deepEqual(store.get().cell, [0, 1, 0]);
  assert.equal(cells("blocks.0.attention_probs")[2].classList.contains("mg-map-chosen"), true);
});

test("a click on a heading opens the stage", () => {
  const { store, stage } = mounted(viewOf([0, 1]), { stage: "logits", cell: [0, 1] });
  stage("blocks.0.ln2").querySelector("button").click();
  assert.equal(store.get().stage, "blocks.0.ln2");
  assert.equal(store.get().cell, null);
  assert.equal(stage("blocks.0.ln2").querySelector("button").getAttribute("aria-pressed"), "true");
});

test("one place of the map is in the tab order; arrows move it, enter opens it", () => {
  const { store, all, stage, cells } = mounted();
  const stops = () => all('[data-stage] [tabindex="0"]');
  assert.deepEqual(stops(), [stage("token_embeddings").querySelector("button")]);
  stops()[0].focus();
  press(document.activeElement, "ArrowDown");
  press(document.activeElement, "ArrowDown");
  assert.equal(document.activeElement, cells("token_embeddings")[1]);
  assert.deepEqual(stops(), [document.activeElement]);
  press(document.activeElement, "Enter");
  assert.equal(store.get().stage, "token_embeddings");
  assert.deepEqual(store.get().cell, [0, 1]);
});

test("a new view repaints what is there: no element comes or goes", () => {
  const { container, show, cells } = mounted();
  const before = [...container.querySelectorAll("*")];
  const focused = cells("logits")[3];
  focused.focus();
  const next = viewOf([4, 1], { shift: 0.5 });
  show(next);
  const after = [...container.querySelectorAll("*")];
  assert.equal(after.length, before.length);
  assert.ok(after.every((element, place) => element === before[place]));
  assert.equal(document.activeElement, focused);
  assert.equal(cells("logits")[0].querySelector("text").textContent, number(next.trace.logits[0][0]));
});

test("with another number of words the focus stays at its value", () => {
  const { show, cells } = mounted();
  cells("blocks.0.ln1")[2].focus();
  show(viewOf([3]));
  assert.equal(document.activeElement, cells("blocks.0.ln1")[2]);
});

test("a masked score is minus infinity and says so; its link is not there", () => {
  const { cells, all } = mounted();
  const masked = cells("blocks.0.masked_scores")[1];
  assert.equal(masked.querySelector("text").textContent, "−∞");
  assert.match(masked.getAttribute("aria-label"), /看 喜欢（位置 1）：−∞（被掩码）$/);
  const shown = all(".mg-map-link").filter((link) => link.style.display !== "none");
  assert.deepEqual(
    shown.map(({ dataset }) => [dataset.head, dataset.from, dataset.to].join()).sort(),
    ["0,0,0", "0,0,1", "0,1,1", "1,0,0", "1,0,1", "1,1,1"],
  );
});

test("a click on a link opens its probability", () => {
  const { store, all } = mounted();
  const link = all(".mg-map-link").find(
    ({ dataset }) => dataset.head === "1" && dataset.from === "0" && dataset.to === "1",
  );
  link.querySelector("path").dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
  assert.equal(store.get().stage, "blocks.0.attention_probs");
  assert.deepEqual(store.get().cell, [1, 1, 0]);
});

test("cells that differ from the baseline carry a mark, and lose it again", () => {
  const view = viewOf([0, 1]);
  const baseline = structuredClone(view.trace);
  baseline.residual_0[1][2] += 1;
  const { show, all } = mounted({ ...view, baseline });
  assert.equal(all("[data-stage] .mg-map-mark").length, 1);
  assert.match(all(".mg-map-changed")[0].getAttribute("aria-label"), /喜欢（位置 1），通道 2.*与原来不同/);
  show(viewOf([0, 1]));
  assert.equal(all("[data-stage] .mg-map-mark").length, 0);
});

test("a followed word dims what does not feed it", () => {
  const { all, stage } = mounted();
  const word = all("button.mg-map-word")[1];
  word.click();
  assert.equal(word.getAttribute("aria-pressed"), "true");
  const dim = (key) =>
    [...stage(key).querySelectorAll(".mg-map-row")].map((row) => row.classList.contains("mg-map-dim"));
  assert.deepEqual(dim("residual_0"), [false, false]);
  assert.deepEqual(dim("blocks.0.query"), [true, false, true, false]);
  assert.deepEqual(dim("blocks.0.value"), [false, false, false, false]);
  assert.deepEqual(dim("vocabulary_probs"), [true, false]);
  word.click();
  assert.equal(all(".mg-map-dim").length, 0);
});

test("English by the switch, Chinese back; words stay", () => {
  const { store, stage, all } = mounted();
  store.set({ lang: "en" });
  assert.match(stage("logits").querySelector("button").textContent, /^Logits logits$/);
  assert.equal(all("button.mg-map-word")[1].textContent, "喜欢");
  store.set({ lang: "zh" });
  assert.match(stage("logits").querySelector("button").textContent, /^得分 logits$/);
});

test("an empty sentence says what to do, and the map comes back with a word", () => {
  const empty = { ...viewOf([0]), tokens: [], window: [], trace: null, probabilities: null, logits: null };
  const { container, show } = mounted();
  show(empty);
  assert.equal(container.querySelector(".mg-map-empty").hidden, false);
  assert.equal(container.querySelector(".mg-map-frame").hidden, true);
  show(viewOf([2]));
  assert.equal(container.querySelector(".mg-map-empty").hidden, true);
});

test("with more words than rows, each position shows its most probable ones", () => {
  const words = Array.from({ length: 20 }, (_, id) => `w${id}`);
  const config = { ...TEACHING, vocab_size: 20 };
  const { cells, store, all } = mounted(viewOf([0, 1], { config, words }));
  assert.equal(cells("vocabulary_probs").length, 16);
  cells("vocabulary_probs")[8].dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
  assert.deepEqual(store.get().cell, [1, 19]);
  const bars = all(".mg-map-answer .mg-bars tbody tr");
  assert.equal(bars.length, 11); // ten words, and the others together
  assert.match(bars[0].textContent, /^w190\.2000/);
});

const LARGE = { ...TEACHING, context_length: 16, model_dim: 32, num_heads: 4, num_layers: 2 };
const WINDOW = Array.from({ length: 16 }, (_, place) => place % 5);

test("of a network too large to draw, the block of the open stage shows its cells", () => {
  const { stage, store } = mounted(viewOf(WINDOW, { config: LARGE }));
  const picture = (key) => stage(key).querySelector("canvas");
  assert.equal(picture("blocks.1.query"), null);
  store.set({ stage: "blocks.1.query", cell: null });
  assert.ok(picture("blocks.1.query"));
  assert.equal(picture("blocks.0.query"), null);
});

test("a picture has a grid whose cells are reached, named and chosen one by one", () => {
  const view = viewOf(WINDOW, { config: LARGE });
  const { stage, store, container } = mounted(view);
  const grid = stage("residual_0").querySelector('[role="grid"]');
  assert.deepEqual([grid.getAttribute("aria-rowcount"), grid.getAttribute("aria-colcount")], ["16", "32"]);
  stage("residual_0").querySelector(".mg-map-heading").focus();
  press(document.activeElement, "ArrowDown");
  press(document.activeElement, "ArrowRight");
  press(document.activeElement, "ArrowDown");
  const cell = document.activeElement;
  assert.equal(cell.getAttribute("role"), "gridcell");
  assert.equal(
    cell.getAttribute("aria-label"),
    `${WORDS[1]}（位置 1），通道 1：${number(view.trace.residual_0[1][1])}`,
  );
  assert.deepEqual(
    [cell.parentElement.getAttribute("aria-rowindex"), cell.getAttribute("aria-colindex")],
    ["2", "2"],
  );
  assert.equal(container.querySelector(".mg-map-tip-value").textContent, number(view.trace.residual_0[1][1]));
  press(cell, "Enter");
  assert.deepEqual([store.get().stage, store.get().cell], ["residual_0", [1, 1]]);
  assert.equal(cell.getAttribute("aria-selected"), "true");
  assert.ok(grid.querySelectorAll("*").length < 60, "no element a number");
});

test("of a picture only the attention of the chosen position is drawn", () => {
  const { all, store } = mounted(viewOf(WINDOW, { config: LARGE }));
  const looking = () => [
    ...new Set(all(".mg-map-link").filter(({ style }) => style.display !== "none").map(({ dataset }) => dataset.to)),
  ];
  assert.deepEqual(looking(), ["15"]);
  store.set({ stage: "blocks.0.query", cell: [0, 3, 1] });
  assert.deepEqual(looking(), ["3"]);
});

test("all languages have the same texts", () => {
  for (const [key, entry] of Object.entries(STRINGS)) {
    assert.deepEqual(Object.keys(entry), LANGUAGES, key);
    const places = (text) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const text of Object.values(entry)) assert.deepEqual(places(text), places(entry.zh), key);
  }
});
