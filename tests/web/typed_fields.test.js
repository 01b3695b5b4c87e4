/** Every field for a number takes what the one reader reads, and what it took survives a link. */

import "./document.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createActions } from "../../web/actions.js";
import { addressOf, readAddress } from "../../web/address.js";
import { createChoosing } from "../../web/choosing.js";
import { el } from "../../web/dom.js";
import { createActions as createTrainingActions } from "../../web/panels/training/actions.js";
import { createDropoutFields } from "../../web/panels/weights/dropout_fields.js";
import { nextWord } from "../../web/static/sampling.js";
import { createStore } from "../../web/state.js";
import { window } from "./document.js";
import { INITIAL, settled } from "./page.js";

const CASES = JSON.parse(readFileSync(new URL("../typed_numbers.json", import.meta.url), "utf8"));
const LARGEST_SEED = "9223372036854775807";
const t = (key, values) => (values ? `${key} ${JSON.stringify(values)}` : key);
const quiet = { show() {}, clear() {} };

function choosing(store) {
  const container = el("div");
  const part = createChoosing(container, { store, t, alert: quiet, generator: { onRefusal() {} } });
  part.update(store.get());
  const [temperature, topK, topP, seed] = container.querySelectorAll("input[inputmode=decimal]");
  return { temperature, top_k: topK, top_p: topP, seed };
}

function type(input, text, event = "input") {
  input.value = text;
  input.dispatchEvent(new window.Event(event));
}

function reloaded(store) {
  return readAddress(addressOf(store.get()), INITIAL).state.sampling;
}

test("what a sampling field took survives the link exactly", () => {
  const store = createStore();
  const fields = choosing(store);
  store.set({ sampling: { ...store.get().sampling, mode: "sample" } });
  type(fields.temperature, "０，８");
  type(fields.top_k, "２");
  type(fields.top_p, "≈95%");
  type(fields.seed, "９２２３３７２０３６８５４７７５８０７");
  const taken = { mode: "sample", temperature: 0.8, top_k: 2, top_p: 0.95, seed: LARGEST_SEED };
  assert.deepEqual(store.get().sampling, taken);
  assert.deepEqual(reloaded(store), taken);
});

test("every number that a seed or a temperature can be survives the link", () => {
  const store = createStore({ sampling: { mode: "sample", temperature: 1, top_k: 0, top_p: 1, seed: 0 } });
  const fields = choosing(store);
  let tried = 0;
  for (const { text, value } of CASES.read) {
    if (String(value).includes("inf") || Number(value) < 0) continue;
    type(fields.temperature, text);
    assert.deepEqual(reloaded(store), store.get().sampling, text);
    assert.equal(String(store.get().sampling.temperature), String(value), text);
    if (!/^\d+$/.test(String(value)) || BigInt(value) >= 2n ** 63n) continue; // no seed
    type(fields.seed, text);
    assert.equal(String(reloaded(store).seed), String(value), text);
    tried += 1;
  }
  assert.ok(tried > 10);
});

test("the number of words is read like every other, and refused with what would be right", () => {
  const started = [];
  const said = [];
  const generator = { running: () => false, start: (count) => started.push(count), subscribe() {} };
  const container = el("div");
  const app = {
    store: createStore(),
    generator,
    writing: {},
    history: { canUndo: () => false },
    t,
    initial: INITIAL,
    viewer: {},
    alert: { clear() {}, show: (text) => said.push(text) },
  };
  createActions({ row: el("div"), more: container }, app).update();
  const input = container.querySelector("input");
  const generate = container.querySelector("button");
  for (const text of ["６", "6", "6.0", "600%", "≈6", "12/2", "6e0", " 6 "]) {
    type(input, text);
    generate.click();
  }
  assert.deepEqual(started, [6, 6, 6, 6, 6, 6, 6, 6]);
  for (const text of ["", "0", "−1", "2.5", "65", "∞", "六", LARGEST_SEED]) {
    type(input, text);
    generate.click();
  }
  assert.equal(started.length, 8);
  assert.equal(said.filter((text) => text.startsWith("error.count ")).length, 8);
  type(input, "1,000");
  generate.click();
  assert.match(said.at(-1), /error\.number_comma .*"1\.000".*"1000"/);
});

test("dropout's seed is what the server read, with every digit", async () => {
  const store = createStore();
  const switches = { dropout: 0.1, dropout_seed: LARGEST_SEED };
  const asked = [];
  const server = {
    async set_dropout(request) {
      asked.push([request.rate, request.seed]);
      return { switches };
    },
  };
  const fields = createDropoutFields({ store, t, server });
  const [rate, seed] = fields.element.querySelectorAll("input");
  rate.value = "１０％";
  seed.value = "９２２３３７２０３６８５４７７５８０７";
  seed.dispatchEvent(new window.Event("change"));
  await settled();
  assert.deepEqual(asked, [["１０％", "９２２３３７２０３６８５４７７５８０７"]]);
  assert.deepEqual(store.get().switches, switches);
  const { state } = readAddress(addressOf(store.get()), INITIAL);
  assert.deepEqual(state.switches, switches);
});

test("a training goes on where its field says more steps, however they are typed", () => {
  const training = { status: "finished", step: 100 };
  const session = { get: () => training, isAsking: () => false };
  let steps = "";
  const actions = createTrainingActions({ t }, session, () => steps);
  const resume = actions.element.querySelectorAll("button")[2];
  for (const [text, goesOn] of [["４００", true], ["4e2", true], ["400", true], ["100", false], ["５０", false], ["x", false]]) {
    steps = text;
    actions.update();
    assert.equal(!resume.disabled, goesOn, text);
  }
});

test("without a server the same is read: the largest seed draws as the server's does", () => {
  const logits = [1.1128, -2.739, -1.5262, 2.1336, 1.7397];
  const settings = { mode: "sample", temperature: 1, top_k: 2, top_p: 0.9 };
  const typed = { mode: "sample", temperature: "１", top_k: "２", top_p: "90%" };
  for (let index = 0; index < 20; index += 1) {
    assert.equal(
      nextWord(logits, typed, "９２２３３７２０３６８５４７７５８０７", index),
      nextWord(logits, settings, LARGEST_SEED, index),
    );
  }
  for (const [field, text] of [["temperature", "warm"], ["top_k", "2.5"], ["top_p", "∞"]]) {
    assert.throws(() => nextWord(logits, { ...settings, [field]: text }, 0, 0), { code: field });
  }
  assert.throws(() => nextWord(logits, { ...settings, top_k: "1,234" }, 0, 0), { code: "number_comma" });
  assert.throws(() => nextWord(logits, settings, "9223372036854775808", 0), { code: "seed" });
});
