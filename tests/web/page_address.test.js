/** The address carries the whole page's state; a broken one is explained and ignored. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

const APPEND = "让模型接一个词";

test("a reload keeps the sentence at once", async (t) => {
  const page = await mounted(t);
  for (const word of ["学习", "猫", "AI"]) page.clickWord(word);
  const again = await page.reload();
  assert.deepEqual(again.chips(), ["我", "喜欢", "学习", "猫", "AI"]);
});

test("a reload during generation keeps what came, and does not go on", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.fill(page.field("生成多少个词"), "64");
  page.click(page.button("连续生成"));
  await page.until(() => assert.ok(page.chips().length >= 5));
  const again = await page.reload();
  assert.deepEqual(again.chips(), ["我", "喜欢", "学习", "喜欢", "学习"]);
  await again.pass(1000);
  assert.deepEqual(again.chips(), ["我", "喜欢", "学习", "喜欢", "学习"]);
});

test("a reload keeps the settings and the next draw", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.click(page.named("radio", "采样 sampling"));
  page.fill(page.field("温度"), "1.5");
  page.fill(page.field("种子"), "7");
  for (let word = 0; word < 2; word += 1) page.click(page.button(APPEND));
  await page.until(() => assert.equal(page.chips().length, 4));
  const again = await page.reload();
  assert.equal(again.named("radio", "采样 sampling").checked, true);
  assert.equal(again.field("温度").value, "1.5");
  assert.equal(again.field("种子").value, "7");
  assert.match(again.text(".mg-draw-note"), /第 3 次采样/);
});

test("an address opens the same page elsewhere", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.click(page.button("清空"));
  page.clickWord("猫");
  page.click(page.button("English"));
  await page.answered();
  assert.equal(page.search(), "?v=1&tokens=4&lang=en");
  const shown = page.bars();
  const other = await mounted(t, page.search());
  assert.deepEqual(other.chips(), ["猫"]);
  assert.deepEqual(other.bars(), shown);
  assert.equal(other.every("button", "Append one").length, 1);
});

test("a broken address is explained and ignored", async (t) => {
  for (const [query, named] of [
    ["?tokens=0-9", "tokens"],
    ["?tokens=%3Cimg%20src=x%20onerror=alert(1)%3E", "tokens"],
    ["?engine=tensorflow&lang=fr", "engine, lang"],
    ["?v=99&tokens=4", "v"],
    ["?edits=${alert(1)}&stage={{x}}", "stage, edits"],
    ["?panel=nothing", "panel"],
  ]) {
    const page = await mounted(t, query);
    assert.equal(page.alert(), `地址里的这些部分读不懂，已忽略：${named}。`);
    assert.deepEqual(page.chips(), ["我", "喜欢"]);
    assert.deepEqual(page.bars(), PROMPT_A);
  }
});

test("a model that is not there is explained and the lesson's taken", async (t) => {
  const page = await mounted(t, "?model=nobody&tokens=4-1", { early: true });
  await page.until(() => assert.match(page.alert(), /^model 只能是/));
  await page.until(() => assert.deepEqual(page.bars()[3], ["学习", "0.5897", "2.6821"]));
  assert.deepEqual(page.chips(), ["猫", "喜欢"]);
});

test("keys of others stay in the address", async (t) => {
  const page = await mounted(t, "?__theme=dark");
  page.clickWord("猫");
  assert.equal(page.search(), "?v=1&tokens=0-1-4&__theme=dark");
  assert.equal(page.alert(), "");
});
