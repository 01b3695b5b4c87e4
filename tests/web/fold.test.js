/** Which of many rows a table shows: web/fold.js, and every panel with the poems' 75 words. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { lastOf } from "../../web/panels/gradients/positions.js";

const opened = async (t, panel, isThere, more = "", given = {}) => {
  const page = await mounted(t, `?v=1&lang=en&model=poems&tokens=0-1&panel=${panel}${more}`, given);
  const root = `#mg-panel-${panel}`;
  await page.until(() => assert.ok(page.all(isThere, page.one(root)).length, isThere));
  return { page, root };
};

/** The first choice in `root` that is not hidden. */
function foldOf(page, root) {
  const element = page.all(".mg-fold", page.one(root)).find((each) => !each.hidden);
  const [search, said, more] = element.children;
  return { element, search, said: () => page.textOf(said), more };
}

function seek(page, fold, text) {
  fold.search.value = text;
  fold.search.dispatchEvent(new page.window.Event("input", { bubbles: true }));
}

const heads = (page, table) => [...table.tBodies[0].rows].map((row) => page.textOf(row.cells[0]));

const TABLE = ".mg-weight[open] table.mg-weights";

/** The open weight table's choice; the first is that of the switches. */
async function tokenTable(t, given) {
  const { page, root } = await opened(t, "weights", TABLE, "", given);
  const details = page.all(".mg-weight[open]")[0];
  details.id = "token-table";
  return { page, root, table: () => page.one(TABLE), fold: foldOf(page, "#token-table") };
}

test("of 75 rows ten are made, the sentence's first, and every one can be had", async (t) => {
  const { page, table, fold } = await tokenTable(t);
  assert.deepEqual(heads(page, table()), [..."床前明月光，↵疑是地"]);
  assert.equal(page.all("#token-table .mg-weight-input").length, 10 * 8);
  assert.equal(fold.said(), "10 of 75 words are shown.");
  for (const count of [20, 40, 75]) {
    page.click(fold.more);
    assert.equal(heads(page, table()).length, count);
  }
  assert.equal(fold.more.hidden, true);
  assert.equal(new Set(heads(page, table())).size, 75);
});

test("a word that is sought is found, edited, and stays", async (t) => {
  const { page, table, fold } = await tokenTable(t);
  seek(page, fold, "鸟");
  assert.deepEqual(heads(page, table()), ["鸟"]);
  const [first] = page.all("#token-table .mg-weight-input");
  const name = first.getAttribute("aria-label");
  assert.match(name, /^鸟 · channel 0/);
  page.fill(first, "0.9");
  page.press("Enter");
  await page.until(() => assert.ok(page.all("#token-table .mg-cell-changed").length === 1));
  assert.match(page.server.asked("edit_weight")[0].request.index, /^\d\d,0$/);
  seek(page, fold, "no such word");
  assert.match(fold.said(), /Nothing is called “no such word”/);
  assert.deepEqual(heads(page, table()), ["鸟"]); // what is changed is shown whatever is sought
  fold.search.focus();
  page.press("Escape");
  assert.equal(fold.search.value, "");
  assert.equal(page.isShown(page.one("#mg-panel-weights")), true);
  assert.deepEqual(heads(page, table()), [..."床前明月光，↵疑是鸟"]);
});

test("arrow keys go from row to row as they stand, and a row with the focus stays", async (t) => {
  const { page, table, fold } = await tokenTable(t);
  seek(page, fold, "明");
  page.click(page.all("#token-table .mg-weight-input")[0]);
  page.all("#token-table .mg-weight-input")[0].focus();
  fold.search.value = "";
  seek(page, fold, "鸟");
  assert.deepEqual(heads(page, table()), ["明", "鸟"]);
  page.press("ArrowDown");
  assert.match(page.document.activeElement.getAttribute("aria-label"), /^鸟 · channel 0/);
});

test("sampling: the most probable have a row, the others one together, and all add up to 1", async (t) => {
  const { page, root } = await opened(t, "sampling", ".mg-steps tbody tr", "&sampling=sample~1~0~1~0");
  const table = page.one(".mg-steps");
  const names = heads(page, table);
  assert.equal(names.length, 11);
  assert.equal(names.at(-1), "the other 65 words");
  const shares = [...table.tBodies[0].rows].map((row) => Number(page.textOf(row.cells[3]).replace(/ × 10.*/, "e-9")));
  assert.ok(Math.abs(shares.reduce((sum, each) => sum + each, 0) - 1) < 0.0011);
  assert.ok(shares.slice(0, 3).every((share, at) => at === 0 || share <= shares[at - 1]));
  seek(page, foldOf(page, root), "鸟");
  const found = heads(page, page.one(".mg-steps"));
  assert.ok(found.includes("鸟"));
  assert.ok(found.length <= 3, String(found)); // it, what was drawn, and the others
  await page.until(() => assert.ok(page.all(`${root} .mg-finding`).some((each) => /one word further/.test(page.textOf(each)))));
  assert.equal(page.all("[role=treeitem]").length, 10);
});

test("gradients: a column for each word of the batch first, and the text is the model's", async (t) => {
  const { page, root } = await opened(t, "gradients", ".mg-gradient-table");
  assert.doesNotMatch(page.text(root), /The lesson's two sentences/);
  assert.match(page.textOf(page.all(`${root} > .mg-note`)[0]), /the beginning of this model's text/);
  const logits = page.all(".mg-gradient-table").find((each) => page.textOf(each.caption) === "logits");
  assert.equal(logits.tHead.rows[0].cells.length, 11);
  assert.equal(page.textOf(logits.tHead.rows[0].cells[1]), "前"); // the first to be predicted
  assert.ok(page.all(".mg-target", logits).length > 0);
  assert.equal(heads(page, logits)[3], "床 前 明 月");
  assert.equal(lastOf([..."床前明月光"]), "… 前 明 月 光"); // of many words seen, the last ones
  const weights = page.all(".mg-gradient-table").find((each) => /lm_head\.weight/.test(page.textOf(each.caption)));
  assert.equal(weights.tBodies[0].rows.length, 10);
  seek(page, foldOf(page, root), "鸟");
  const again = page.all(".mg-gradient-table").find((each) => /lm_head\.weight/.test(page.textOf(each.caption)));
  assert.deepEqual(heads(page, again), ["鸟"]);
});

test("prompts: ten columns, the limit with its number", async (t) => {
  const { page, root } = await opened(t, "prompts", ".mg-prompts tbody tr");
  const [table] = page.all(".mg-prompts table");
  assert.equal(page.text(`${root} h2`), "What this model does");
  assert.equal(table.tHead.rows[0].cells.length, 12);
  assert.equal(table.tBodies[0].rows.length, 75);
  assert.match(page.text(`${root} > .mg-note`), /at most 266 here\); here are all 75 of one word\./);
  seek(page, foldOf(page, root), "鸟");
  assert.equal(page.textOf(page.all(".mg-prompts table")[0].tHead.rows[0].cells[1]), "鸟");
});

test("switches: ten columns that stay while switches change", async (t) => {
  const { page } = await opened(t, "weights", ".mg-switch-row");
  const columns = () => [...page.one(".mg-switches").tHead.rows[0].cells].slice(1, -1).map(page.textOf);
  const before = columns();
  assert.equal(before.length, 10);
  page.click(page.all("[role=switch]").find((each) => page.nameOf(each) === "Causal mask"));
  page.click(page.all("[role=switch]").find((each) => page.nameOf(each) === "Final LayerNorm"));
  await page.answered();
  assert.deepEqual(columns(), before);
});

test("of the lesson's words nothing is folded", async (t) => {
  for (const panel of ["weights", "sampling", "gradients", "prompts"]) {
    const page = await mounted(t, `?v=1&lang=en&panel=${panel}`);
    await page.until(() => assert.ok(page.all(`#mg-panel-${panel} table`).length));
    await page.answered();
    assert.deepEqual(page.all(`#mg-panel-${panel} .mg-fold`).filter((each) => !each.hidden), []);
  }
});
