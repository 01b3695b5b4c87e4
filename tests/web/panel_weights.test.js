/** Weights and switches: every number of the page follows, and nothing wrong is taken. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

/** 我 喜欢 with head 2 switched off; `tests/ui/panels/test_calls.py` checks such numbers. */
const WITHOUT_HEAD_2 = ["0.4594", "0.0051", "0.0245", "0.1443", "0.3666"];

const CELL = { zh: "我 · 通道 0", en: "我 · channel 0" };

async function opened(t, more = "", given = {}) {
  const page = await mounted(t, `?v=1&panel=weights${more && `&${more}`}`, given);
  await page.until(() => page.one('.mg-weight-input[aria-label$=" 0"]', '.mg-weight[open] tbody tr:first-child'));
  return page;
}

function toggle(page, name) {
  const found = page.all("[role=switch]").filter((each) => page.nameOf(each) === name);
  assert.equal(found.length, 1, name);
  return found[0];
}

const probabilities = (page) => page.bars().map(([, probability]) => probability);
const address = (page) => decodeURIComponent(page.search());
const changed = (page) => page.all("#mg-panel-weights .mg-cell-changed");

/** The first weight of 我, changed or not. */
const cell = (page, lang) =>
  page.all(".mg-weight-input").find((each) => each.getAttribute("aria-label").startsWith(CELL[lang]));

for (const [lang, head, allOn] of [
  ["zh", "头 2 head 2", "全部打开"],
  ["en", "Head 2", "Everything on"],
]) {
  test(`a switch changes the page and back (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    assert.equal(toggle(page, head).getAttribute("aria-checked"), "true");
    page.click(toggle(page, head));
    await page.until(() => assert.deepEqual(probabilities(page), WITHOUT_HEAD_2));
    assert.equal(toggle(page, head).getAttribute("aria-checked"), "false");
    await page.until(() => assert.match(address(page), /switches=blocks\.0\.head\.1~false/));
    page.click(page.button(allOn));
    await page.until(() => assert.deepEqual(page.bars(), PROMPT_A));
    await page.until(() => assert.doesNotMatch(address(page), /switches/));
  });

  test(`an edited weight changes the page and is marked (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    const first = cell(page, lang);
    assert.equal(first.value, "0.2");
    page.fill(first, "0.9");
    page.press("Enter");
    await page.until(() => assert.equal(changed(page).length, 1));
    await page.until(() => assert.notDeepEqual(page.bars(), PROMPT_A));
    await page.until(() => assert.match(address(page), /edits=token_embedding\.weight~0\.0~0\.9/));
    assert.match(page.textOf(changed(page)[0]), lang === "zh" ? /原 0\.2/ : /was 0\.2/);
    const said = lang === "zh" ? "已改，原来是 0.2" : "changed, was 0.2";
    assert.ok(first.getAttribute("aria-label").includes(said));
    page.click(page.button({ zh: "恢复这张表：词嵌入表 token table", en: "Reset this table: Token table" }[lang]));
    await page.until(() => assert.deepEqual(page.bars(), PROMPT_A));
    assert.equal(changed(page).length, 0);
    assert.equal(cell(page, lang).value, "0.2");
  });
}

test("a switch opens to its exact numbers", async (t) => {
  const page = await opened(t, "lang=en");
  const more = page.button("Exact numbers: Head 2");
  page.click(more);
  assert.equal(more.getAttribute("aria-expanded"), "true");
  const [table] = page.every("table", "Exact numbers");
  const rows = page.all("tr", table).map((row) => [...row.cells].map(page.textOf));
  assert.deepEqual(rows[0], ["Word", "on", "off", "Δ"]);
  assert.deepEqual(rows[1], ["我", "0.1742", "0.4594", "+0.2852"]);
  assert.deepEqual(rows.slice(1).map((row) => row[2]), WITHOUT_HEAD_2);
  assert.deepEqual(rows.slice(1).map((row) => row[1]), PROMPT_A.map((row) => row[1]));
  assert.deepEqual(rows.slice(1).map((row) => row[0]), PROMPT_A.map((row) => row[0]));
  page.click(more);
  assert.equal(more.getAttribute("aria-expanded"), "false");
  assert.equal(page.every("table", "Exact numbers").length, 0);
});

test("both engines follow a switch", async (t) => {
  const page = await opened(t);
  page.click(toggle(page, "头 2 head 2"));
  await page.until(() => assert.deepEqual(probabilities(page), WITHOUT_HEAD_2));
  page.openMore();
  page.click(page.named("radio", "PyTorch"));
  await page.until(() => assert.match(page.text(".mg-difference"), /×/));
  assert.equal(page.server.asked("view").at(-1).request.engine, "torch");
  assert.deepEqual(page.server.asked("view").at(-1).request.switches, { "blocks.0.head.1": false });
  assert.deepEqual(probabilities(page), WITHOUT_HEAD_2);
});

for (const typed of ["abc", "1e9", "NaN", "", "0,5,1", "<b>1</b>"]) {
  test(`a wrong weight is refused and the old value stays: ${typed || "nothing"}`, async (t) => {
    const page = await opened(t, "lang=en");
    const first = cell(page, "en");
    page.fill(first, typed);
    page.press("Enter");
    await page.until(() => assert.match(page.alert(), /The old value stays\./));
    await page.until(() => assert.equal(first.value, "0.2"));
    assert.deepEqual(page.bars(), PROMPT_A);
    assert.equal(changed(page).length, 0);
    assert.equal(page.all(".mg-alert b").length, 0);
  });
}

test("a comma is read as a decimal point", async (t) => {
  const page = await opened(t, "lang=en");
  page.fill(cell(page, "en"), "0,5");
  page.press("Enter");
  await page.until(() => assert.equal(changed(page).length, 1));
  assert.equal(cell(page, "en").value, "0.5");
  assert.equal(page.alert(), "");
});

test("Escape puts the value back, arrows change rows", async (t) => {
  const page = await opened(t, "lang=en");
  const first = cell(page, "en");
  page.fill(first, "7");
  page.press("Escape");
  assert.equal(first.value, "0.2");
  page.press("ArrowDown");
  assert.equal(page.document.activeElement.getAttribute("aria-label"), "喜欢 · channel 0");
  page.press("ArrowUp");
  assert.equal(page.document.activeElement, first);
  page.press("ArrowUp"); // the first row has nothing above it
  assert.equal(page.document.activeElement, first);
  await page.settled();
  assert.deepEqual(page.server.asked("edit_weight"), []);
  assert.deepEqual(page.bars(), PROMPT_A);
});

/** A paste as a browser tells of it. */
function paste(page, field, text) {
  field.focus();
  const event = new page.window.Event("paste", { bubbles: true, cancelable: true });
  event.clipboardData = { getData: (kind) => (kind === "text/plain" ? text : "") };
  return field.dispatchEvent(event);
}

test("a pasted block fills the cells to the right and below", async (t) => {
  const page = await opened(t, "lang=en");
  assert.equal(paste(page, cell(page, "en"), "1\t2\n3\t4\n"), false); // the page puts it in
  await page.until(() => assert.equal(changed(page).length, 4));
  const values = changed(page).map((each) => each.querySelector("input").value);
  assert.deepEqual(values, ["1", "2", "3", "4"]);
  await page.until(() =>
    assert.match(address(page), /edits=token_embedding\.weight~0\.0~1~0\.1~2~1\.0~3~1\.1~4/),
  );
});

test("a single pasted number goes the browser's own way", async (t) => {
  const page = await opened(t, "lang=en");
  assert.equal(paste(page, cell(page, "en"), "1"), true);
  assert.deepEqual(page.server.asked("edit_weight"), []);
});

test("two quick edits are both kept", async (t) => {
  const page = await opened(t, "lang=en");
  page.server.latency = 400;
  page.fill(cell(page, "en"), "1");
  page.press("ArrowDown"); // leaving the cell commits it
  page.fill(page.document.activeElement, "2");
  page.press("Enter");
  await page.until(() => assert.equal(changed(page).length, 2));
  const values = changed(page).map((each) => each.querySelector("input").value);
  assert.deepEqual(values, ["1", "2"]);
});

test("Enter and leaving the cell send a value once", async (t) => {
  const page = await opened(t, "lang=en");
  page.server.latency = 400;
  page.fill(cell(page, "en"), "0.9");
  page.press("Enter");
  page.press("ArrowDown");
  await page.until(() => assert.equal(changed(page).length, 1));
  assert.equal(page.server.asked("edit_weight").length, 1);
});

test("every table opens under its lesson name", async (t) => {
  const page = await opened(t, "lang=en");
  const summaries = page.all("#mg-panel-weights summary");
  assert.equal(summaries.length, 18);
  for (const summary of summaries.slice(1)) page.click(summary);
  await page.until(() => assert.equal(page.all(".mg-weight table").length, 18));
  const names = page.all(".mg-weight-input").map((each) => each.getAttribute("aria-label"));
  assert.equal(names.length, 289);
  for (const name of ["head 2 · out 2 · in 3", "学习 · in 1", "unit 15 · in 0"]) {
    assert.ok(names.includes(name), name);
  }
});

test("dropout has a rate and a seed and refuses nonsense", async (t) => {
  const page = await opened(t, "lang=en");
  page.click(toggle(page, "Dropout"));
  await page.until(() => assert.ok(page.isShown(page.one(".mg-changed"))));
  await page.until(() => assert.notDeepEqual(page.bars(), PROMPT_A));
  const first = page.bars();
  page.fill(page.field("seed", "#mg-panel-weights"), "5");
  page.press("Enter");
  await page.until(() => assert.match(address(page), /dropout_seed~5/));
  await page.until(() => assert.notDeepEqual(page.bars(), first));
  const rate = page.field("rate", "#mg-panel-weights");
  page.fill(rate, "2");
  page.press("Enter");
  await page.until(() => assert.match(page.alert(), /dropout must be at least 0 and below 1/));
  assert.equal(rate.value, "0.1");
  page.click(toggle(page, "Dropout"));
  await page.until(() => assert.deepEqual(page.bars(), PROMPT_A));
});

test("a changed network survives a reload and is put back by one button", async (t) => {
  const query = "switches=causal_mask~false*blocks.0.ln1~false&edits=lm_head.bias~4~2.5&lang=en";
  const page = await opened(t, query);
  await page.until(() => assert.match(page.text(".mg-changed"), /Changed: /));
  assert.match(page.text(".mg-changed"), /weights: 1/);
  assert.match(page.text(".mg-changed"), /switches: 2/);
  const before = page.bars();
  assert.notDeepEqual(before, PROMPT_A);
  const again = await page.reload();
  await again.until(() => assert.deepEqual(again.bars(), before));
  await again.until(() => assert.equal(toggle(again, "LayerNorm 1").getAttribute("aria-checked"), "false"));
  again.click(again.button("Reset"));
  await again.until(() => assert.deepEqual(again.bars(), PROMPT_A));
  assert.equal(again.isShown(again.one(".mg-changed")), false);
});

test("an address with impossible changes is explained and ignored", async (t) => {
  const page = await opened(t, "lang=en&edits=lm_head.bias~7~1");
  await page.until(() => assert.match(page.alert(), /lm_head\.bias has no cell \[7\]/));
  await page.until(() => assert.deepEqual(page.bars(), PROMPT_A));
});

test("other weights begin unchanged", async (t) => {
  const page = await opened(t, "lang=en&edits=lm_head.bias~4~2.5");
  page.click(page.named("radio", "Trained"));
  await page.until(() => assert.ok(toggle(page, "Block 2 · FFN")));
  assert.equal(page.isShown(page.one(".mg-changed")), false);
  await page.until(() => assert.ok(page.named("heading", "Block 2", "#mg-panel-weights")));
  await page.until(() => assert.doesNotMatch(address(page), /edits/));
  assert.equal(page.server.asked("view").at(-1).request.model, "trained");
  assert.deepEqual(page.server.asked("view").at(-1).request.edits ?? {}, {});
});

test("a cell of a part of a parameter is asked for by its place in the whole", async (t) => {
  const page = await opened(t, "lang=en", { answers: { edit_weight: () => ({ edits: {} }) } });
  const value = page.all(".mg-weight").find((each) => /qkv\.weight.*8/.test(page.textOf(each.querySelector("summary"))));
  page.click(value.querySelector("summary"));
  await page.until(() => assert.ok(page.all("table", value).length));
  page.fill(page.all("tbody tr:nth-child(2) input", value)[3], "5");
  page.press("Enter");
  await page.until(() => assert.equal(page.server.asked("edit_weight").length, 1));
  const { parameter, index, text } = page.server.asked("edit_weight")[0].request;
  assert.deepEqual([parameter, index, text], ["blocks.0.attention.qkv.weight", "9,3", "5"]);
});
