/** Every prompt, and the graph of argmax. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const TEXTS = {
  zh: {
    table: "每个句子之后，各个词的概率",
    open: "打开句子：猫 喜欢",
    cycle: "喜欢 学习 → 学习 喜欢 → 喜欢 学习",
    node: "猫 喜欢，最可能接 学习，变成 喜欢 学习",
  },
  en: {
    table: "Probability of each word after each prompt",
    open: "Open the prompt 猫 喜欢",
    cycle: "喜欢 学习 → 学习 喜欢 → 喜欢 学习",
    node: "猫 喜欢, most probably followed by 学习, becomes 喜欢 学习",
  },
};

const PANEL = "#mg-panel-prompts";

async function opened(t, more) {
  const page = await mounted(t, `?v=1&panel=prompts&${more}`);
  await page.until(() => assert.ok(page.all(`${PANEL} .mg-prompts tbody tr`).length));
  return page;
}

/** Prompt and the five probabilities of every row, as shown. */
const rows = (page) =>
  page.all(`${PANEL} .mg-prompts tbody tr`).map((row) => [
    page.texts("th .mg-mini-chip", row).join(" "),
    ...page.texts(".mg-number", row),
  ]);

for (const [lang, texts] of Object.entries(TEXTS)) {
  test(`30 prompts, and a click opens one (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    assert.equal(page.every("table", new RegExp(`^${texts.table}`)).length, 1);
    const read = new Map(rows(page).map(([prompt, ...numbers]) => [prompt, numbers]));
    assert.equal(read.size, 30);
    assert.deepEqual(read.get("我 喜欢"), ["0.1742", "0.0037", "0.0124", "0.4835", "0.3261"]);
    assert.equal(page.text(`${PANEL} .mg-prompts .mg-present th`), "我 喜欢");
    page.click(page.button(texts.open));
    await page.until(() => assert.deepEqual(page.chips(), ["猫", "喜欢"]));
    await page.until(() => assert.equal(page.text(`${PANEL} .mg-prompts .mg-present th`), "猫 喜欢"));
  });

  test(`the graph marks the cycle and opens windows (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    assert.equal(page.all(`${PANEL} .mg-window`).length, 30);
    assert.equal(page.all(`${PANEL} .mg-window.mg-in-cycle`).length, 2);
    assert.equal(page.texts(`${PANEL} .mg-cycles li`).length, 1);
    assert.ok(page.text(`${PANEL} .mg-cycles`).includes(texts.cycle));
    page.click(page.button(texts.node, PANEL));
    await page.until(() => assert.deepEqual(page.chips(), ["猫", "喜欢"]));
  });
}

test("a heading sorts and sorts back", async (t) => {
  const page = await opened(t, "lang=en");
  const [table] = page.every("table", new RegExp(`^${TEXTS.en.table}`));
  assert.ok(table);
  const heading = () => page.one(`${PANEL} [data-by="3"]`).closest("th");
  const column = () => rows(page).map(([, ...numbers]) => Number(numbers[3]));
  page.click(page.one(`${PANEL} [data-by="3"]`));
  assert.equal(heading().getAttribute("aria-sort"), "descending");
  assert.deepEqual(column(), [...column()].sort((left, right) => right - left));
  assert.ok(column()[0] > column().at(-1));
  assert.equal(page.document.activeElement.dataset.by, "3");
  page.press("Enter");
  assert.equal(heading().getAttribute("aria-sort"), "ascending");
  assert.deepEqual(column(), [...column()].sort((left, right) => left - right));
});

test("the behaviour follows a change", async (t) => {
  const page = await opened(t, "lang=en&edits=lm_head.bias~2~100");
  await page.until(() => assert.ok(page.text(`${PANEL} .mg-cycles`).includes("AI AI → AI AI")));
  assert.deepEqual(new Set(rows(page).map(([, ...numbers]) => numbers[2])), new Set(["1.0000"]));
});

test("a longer context says how far it is listed", async (t) => {
  const page = await opened(t, "lang=en&model=trained");
  await page.until(() => assert.match(page.text(PANEL), /here are all 780 of 1 to 4 words/));
  assert.equal(page.all(`${PANEL} .mg-prompts:not(.mg-drawn-prompts) tbody tr`).length, 780);
  assert.match(page.text(PANEL), /100 prompts of 5 to 8 words, drawn with seed 0/);
  assert.equal(page.all(`${PANEL} .mg-drawn-prompts tbody tr`).length, 100);
  assert.match(page.text(PANEL), /From every prompt of 1 to 2 words until a cycle is reached/);
});
