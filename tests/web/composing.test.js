/** What an input method has not finished is not sent, and its keys are not the page's. */

import { window } from "./document.js";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { createActions } from "../../web/actions.js";
import { listenToKeys } from "../../web/working/keys.js";
import { createChoosing } from "../../web/choosing.js";
import { el } from "../../web/dom.js";
import { createDropoutFields } from "../../web/panels/weights/dropout_fields.js";
import { createWeightTable } from "../../web/panels/weights/table.js";
import { createStore } from "../../web/state.js";
import { INITIAL, settled, viewOf } from "./page.js";

const WEB = new URL("../../web/", import.meta.url);
const t = (key) => key;
const alert = { show() {}, clear() {} };
globalThis.Element = window.Element;

beforeEach(() => document.body.replaceChildren());

/** The Enter (or another key) that an input method takes, as each browser tells of it. */
const COMPOSING = {
  Chromium: { isComposing: true, keyCode: 229 },
  Firefox: { isComposing: true },
  Safari: { isComposing: false, keyCode: 229 }, // its compositionend has already been
};

function press(target, key, more = {}) {
  target.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
}

function type(input, value, isComposing) {
  input.value = value;
  input.dispatchEvent(new window.InputEvent("input", { bubbles: true, isComposing }));
}

function endComposition(input) {
  input.dispatchEvent(new window.CompositionEvent("compositionend", { bubbles: true }));
}

function countField(started) {
  const generator = { running: () => false, subscribe() {}, stop() {}, start: (count) => started.push(count) };
  const viewer = { view: () => viewOf([0, 1]) };
  const store = createStore();
  store.set({ tokens: [0, 1] });
  const history = { canUndo: () => false };
  createActions({ row: document.body, more: document.body }, { store, generator, history, viewer, alert, t, writing: {}, initial: INITIAL });
  return document.querySelector(".mg-count");
}

function weightTable(sent) {
  const server = { edit_weight: async ({ text }) => ({ edits: { [text]: sent.push(text) } }) };
  const about = { name: "b", parameter: "b", columns: null, rows: null, originals: [1, 2] };
  const store = createStore();
  const table = createWeightTable({ ...about, first: 0 }, { store, server, t, alert });
  document.body.append(table.element);
  table.update(store.get(), viewOf([0, 1], { window: [0, 1] }));
  return document.querySelector(".mg-weight-input");
}

for (const [browser, taken] of Object.entries(COMPOSING)) {
  test(`${browser}: the Enter of an input method does not start generating; the person's does`, () => {
    const started = [];
    const count = countField(started);
    press(count, "Enter", taken);
    assert.deepEqual(started, []);
    press(count, "Enter");
    assert.deepEqual(started, [6]);
  });

  test(`${browser}: half a word in a weight's cell is neither sent nor taken back`, async () => {
    const sent = [];
    const input = weightTable(sent);
    input.focus();
    input.value = "ling";
    press(input, "Enter", taken);
    press(input, "Escape", taken);
    press(input, "ArrowDown", taken);
    await settled();
    assert.deepEqual([sent, input.value], [[], "ling"]);
    input.value = "0.5";
    press(input, "Enter");
    await settled();
    assert.deepEqual(sent, ["0.5"]);
  });

  test(`${browser}: nor does Escape put dropout's rate back, or a letter move the working area`, () => {
    const fields = createDropoutFields({ store: createStore(), t, server: {} });
    document.body.append(fields.element);
    const rate = fields.element.querySelector("input");
    rate.value = "ling";
    press(rate, "Escape", taken);
    assert.equal(rate.value, "ling");
    const area = document.createElement("div");
    document.body.append(area);
    const steps = [];
    listenToKeys(area, (step) => steps.push(step));
    press(area, "n", taken);
    assert.deepEqual(steps, []);
    press(area, "n");
    assert.deepEqual(steps, [1]);
  });
}

test("a number is set when it is whole, not letter by letter of an input method", () => {
  const store = createStore();
  createChoosing(document.body, { store, t, alert, generator: { onRefusal() {} } });
  const before = store.get().sampling.temperature;
  const input = document.querySelector(".mg-field-input");
  type(input, "ling", true);
  assert.equal(store.get().sampling.temperature, before);
  input.value = "0.5";
  endComposition(input);
  assert.equal(store.get().sampling.temperature, 0.5);
  type(input, "0.7", false);
  assert.equal(store.get().sampling.temperature, 0.7);
});

test("a form hears of a text when it is whole", () => {
  const heard = [];
  const area = el("textarea");
  document.body.append(el("form", { oninput: () => heard.push(area.value) }, area));
  type(area, "xi'huan", true);
  assert.deepEqual(heard, []);
  type(area, "喜欢", true);
  endComposition(area);
  assert.deepEqual(heard, ["喜欢"]);
});

test("no module listens to keys or to text in another way", () => {
  const modules = readdirSync(WEB, { recursive: true }).filter((name) => /^(?!bundle).*\.js$/.test(name));
  const listening = modules.filter((name) =>
    /addEventListener\("(?:key\w+|input|composition\w+)"/.test(readFileSync(new URL(name, WEB), "utf8")),
  );
  assert.deepEqual(listening, ["composing.js"]);
});
