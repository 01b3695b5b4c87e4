/** Every row of probabilities on the page adds up to 1 as it is shown, or says to what and why. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { roundedSum, roundingNote, roundingNoteOfRows } from "../../web/rounded_sum.js";
import { answerTo } from "./answers.js";
import { mounted, STRINGS } from "./mounted.js";

const LOADING = 1500;
const ENGINES = ["onnxruntime", "torch"];

const t = (key, values) => STRINGS[key].zh.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** The sum of shown texts, as a person adds them: without floats. */
function added(texts) {
  const places = Math.max(...texts.map((text) => text.split(".")[1].length));
  const units = texts.reduce((total, text) => total + Number(text.replace(".", "").padEnd(places + 1, "0")), 0);
  return (units / 10 ** places).toFixed(places);
}

/** Rows of texts below `element`, without what is no number. */
const rowsOf = (element, cell) =>
  [...element.querySelectorAll("tbody tr")]
    .map((row) => [...row.querySelectorAll(cell)].map(({ textContent }) => textContent).filter((text) => /^\d/.test(text)))
    .filter((row) => row.length);

/** The sums other than 1, once each. */
const missed = (rows) => [...new Set(rows.map(added))].filter((sum) => Number(sum) !== 1).sort();

function saysWhy(note, sums, what) {
  assert.equal(note.hidden, sums.length === 0, `${what}: ${sums}`);
  for (const sum of sums) assert.ok(note.textContent.includes(sum), `${what}: ${note.textContent}`);
}

test("what is no distribution is not said to be one", () => {
  assert.equal(roundedSum([0.33333, 0.33333, 0.33334]), "0.9999");
  assert.match(roundingNote([0.33333, 0.33333, 0.33334], t), /0\.9999/);
  assert.equal(roundingNote([0.25, 0.75], t), "");
  assert.equal(roundingNote([0.3, 0.3], t), "");
  assert.match(roundingNoteOfRows([[0.335, 0.335, 0.33], [1]], t, 2), /1\.01/);
});

for (const engine of ENGINES) {
  test(`${engine}: a table of all 30 prompts' probabilities`, async (t_) => {
    const { rows } = await answerTo("behaviour", { engine, model: "teaching", edits: {}, switches: {} });
    assert.equal(rows.length, 30);
    const page = await mounted(t_, "?v=1");
    const { createTable } = await import("../../web/working/table.js");
    const { words } = page.initial.view.model;
    const value = { key: "vocabulary_probs", name: "vocabulary_probs", axes: ["T", "V"], batch: true };
    const look = { isHidden: () => false, isSolved: () => false, isUsed: () => false, isEdited: () => false, isOpen: () => false };
    const context = { shape: [30, 5], window: rows.map(() => 0), words, sizes: {}, t, title: "" };
    const table = createTable(value, context, () => {});
    table.update(rows.map(({ probabilities }) => probabilities), look);
    const sums = missed(rowsOf(table.element, ".mg-cell"));
    assert.ok(sums.length > 0);
    saysWhy(table.element.querySelector(".mg-rounding"), sums, engine);
  });
}

test("the attention of eight words, with learned weights", async (t_) => {
  const page = await mounted(t_, "?v=1&model=trained&tokens=0-1-2-4-1-3-0-1&stage=blocks.1.attention_probs");
  await page.pass(LOADING);
  const value = page.one('.mg-value[data-key="blocks.1.attention_probs"]');
  const sums = missed(rowsOf(value, ".mg-cell"));
  assert.ok(sums.length > 0, "no row misses 1: this proves nothing");
  saysWhy(value.querySelector(".mg-rounding"), sums, "attention");
});

test("a table of other numbers says nothing of sums, nor does one that hides some", async (t_) => {
  const page = await mounted(t_, "?v=1&stage=vocabulary_probs");
  await page.pass(LOADING);
  const note = (key) => page.one(`.mg-value[data-key="${key}"] .mg-rounding`);
  assert.equal(note("vocabulary_probs").hidden, false);
  assert.equal(note("vocabulary_probs.exponentials").hidden, true);
  page.click(page.one("#mg-practice"));
  await page.pass(LOADING);
  assert.equal(note("vocabulary_probs").hidden, true);
  assert.equal(note("vocabulary_probs").textContent, "");
});

test("what a trained network looks at, with two decimals", async (t_) => {
  const view = await answerTo("view", { model: "trained", tokens: [0, 1], engine: "torch" });
  const { createAttention } = await import("../../web/panels/training/attention.js");
  const page = await mounted(t_, "?v=1");
  const box = page.document.createElement("div");
  const app = { t, viewer: { view: () => view } };
  const misses = { 3: [0.333, 0.333, 0.334], 2: [0.125, 0.875] };
  const rows = Object.fromEntries(
    Object.entries(view.trace).map(([key, values]) => [
      key,
      key.endsWith("attention_probs") ? values.map((head) => head.map((row, at) => (at === 1 ? misses[2] : row))) : values,
    ]),
  );
  createAttention(box, app).update({ ...view, trace: rows });
  const sums = missed(rowsOf(box, "td:not(.mg-unseen)"));
  assert.ok(sums.length > 0);
  saysWhy(box.querySelector(".mg-rounding"), sums, "attention");
});

test("a switch's exact numbers, the present ones, and the tree", async (t_) => {
  const page = await mounted(t_, "?v=1&panel=weights&tokens=0-1");
  await page.pass(LOADING);
  const present = [...page.all(".mg-switch-now .mg-number")].map(({ textContent }) => textContent);
  saysWhy(page.one("#mg-panel-weights > .mg-rounding"), missed([present]), "now");
  let met = 0;
  for (const table of page.all("#mg-panel-weights .mg-exact")) {
    const columns = rowsOf(table, "td");
    const sums = missed([0, 1].map((at) => columns.map((row) => row[at])));
    met += sums.length;
    const said = table.nextElementSibling.textContent;
    for (const sum of sums) assert.ok(said.includes(sum), said);
    assert.equal(/\d\.\d{4}/.test(said), sums.length > 0, said);
  }
  assert.ok(met > 0);
  page.click(page.one("#mg-tab-sampling"));
  await page.pass(LOADING);
  page.click(page.one(".mg-presets button:nth-child(2)")); // temperature 1, nothing cut
  await page.pass(LOADING);
  const roots = [...page.all(".mg-tree > li > .mg-node .mg-node-step")].map(({ textContent }) => textContent.replace("×", "").trim());
  assert.equal(roots.length, 5);
  const sums = missed([roots]);
  const said = page.text(".mg-finding:not(.mg-sampling-opening)");
  for (const sum of sums) assert.ok(said.includes(sum), said);
  assert.match(said, /四舍五入后相加，有的是 .*0\.9999/);
});

test("the printed solution", async (t_) => {
  const page = await mounted(t_, "?v=1&tokens=0-1&stage=residual_0");
  await page.pass(LOADING);
  page.window.print = () => {};
  page.click(page.button("打印答案页"));
  await page.until(() => assert.ok(page.one(".mg-sheet-solution")));
  const notes = page.all(".mg-sheet-rounding").map(({ textContent }) => textContent);
  const isNear = (sum) => Math.abs(sum - 1) < 0.001; // the others are no distributions
  const sums = page.all(".mg-sheet table").flatMap((table) => missed(rowsOf(table, "td")).filter(isNear));
  for (const sum of sums) assert.ok(notes.some((note) => note.includes(sum)), `${sum} ${notes}`);
  assert.equal(notes.length > 0, sums.length > 0);
});
