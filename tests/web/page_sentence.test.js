/** Writing a sentence on the whole page: words, free text, what the model sees, undo and clear. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

const LESSON = JSON.parse(readFileSync(new URL("../lesson.json", import.meta.url), "utf8"));
const FIELD = "输入文字，接到句子后面";
const NO_NUMBERS = PROMPT_A.map(([word]) => [word, "—", "—"]);

function clear(page) {
  page.openMore();
  page.click(page.button("清空"));
}

function type(page, text, name = FIELD) {
  page.openMore();
  page.fill(page.field(name), text);
  page.press("Enter");
}

test("clicked words give the lesson's numbers", async (t) => {
  const { tokens, vocabulary_probs_derived: probabilities } = LESSON.prompts.B;
  const page = await mounted(t, "?tokens=");
  for (const word of tokens) page.clickWord(word);
  assert.deepEqual(page.chips(), tokens);
  await page.until(() => {
    const shown = page.bars().map(([, probability]) => Number(probability));
    assert.deepEqual(shown, probabilities.map((value) => Number(value.toFixed(4))));
  });
  assert.deepEqual(page.bars()[3], ["学习", "0.5897", "2.6821"]);
});

test("words outside the window are said to be", async (t) => {
  const page = await mounted(t);
  page.clickWord("学习");
  assert.deepEqual(page.chips(), ["我", "喜欢", "学习"]);
  assert.deepEqual(page.texts(".mg-chip.mg-outside"), ["我（窗口之外）"]);
  assert.deepEqual(page.texts(".mg-chip.mg-inside"), ["喜欢", "学习"]);
  assert.match(page.text(".mg-window-note"), /最后 2 个词/);
});

test("free text is read as people type it", async (t) => {
  const page = await mounted(t);
  for (const [text, words] of [
    ["我喜欢AI", ["我", "喜欢", "AI"]],
    ["　我 喜欢　ａｉ", ["我", "喜欢", "AI"]],
    ["学习猫 Ai", ["学习", "猫", "AI"]],
  ]) {
    clear(page);
    type(page, text);
    await page.until(() => assert.deepEqual(page.chips(), words));
    assert.equal(page.field(FIELD).value, "");
  }
});

test("an unknown word is explained and everything stays", async (t) => {
  const page = await mounted(t);
  const text = "我 <b>狗</b>${1}";
  type(page, text);
  await page.until(() =>
    assert.equal(
      page.alert(),
      "第 3 个字符处的“<b>狗</b>${1}”不在词表里。请只用这些词：我 喜欢 AI 学习 猫。",
    ),
  );
  assert.equal(page.all(".mg-alert-text b").length, 0, "what was typed is text");
  const field = page.field(FIELD);
  assert.equal(field.value, text);
  assert.equal(field.getAttribute("aria-invalid"), "true");
  assert.equal(page.document.activeElement, field);
  assert.deepEqual(page.chips(), ["我", "喜欢"]);
  assert.deepEqual(page.bars(), PROMPT_A);
  type(page, "猫");
  await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢", "猫"]));
  assert.equal(page.alert(), "");
  assert.equal(field.hasAttribute("aria-invalid"), false);
});

test("text that is too long is explained, by its characters", async (t) => {
  const page = await mounted(t);
  type(page, "我".repeat(2001));
  await page.until(() => assert.equal(page.alert(), "文本有 2001 个字符，最多接受 2000 个。"));
  assert.deepEqual(page.chips(), ["我", "喜欢"]);
  assert.deepEqual(page.server.asked("read"), []);
});

test("a sentence has at most 256 words", async (t) => {
  const page = await mounted(t, `?tokens=${Array(256).fill(4).join("-")}`);
  page.clickWord("我");
  assert.match(page.alert(), /^句子会有 257 个词，最多保留 256 个。/);
  assert.equal(page.chips().length, 256);
});

test("an empty sentence invites and shows no number", async (t) => {
  const page = await mounted(t);
  clear(page);
  await page.until(() => assert.deepEqual(page.bars(), NO_NUMBERS));
  assert.deepEqual(page.chips(), []);
  assert.equal(page.text(".mg-invitation"), "点一个词，开始一句话");
  assert.equal(page.alert(), "");
  page.clickWord("我");
  await page.until(() => assert.ok(page.bars().every((row) => !row.includes("—"))));
});

test("undo takes back words and a clearing", async (t) => {
  const page = await mounted(t);
  page.clickWord("猫");
  clear(page);
  page.click(page.button("撤销"));
  assert.deepEqual(page.chips(), ["我", "喜欢", "猫"]);
  page.click(page.button("撤销"));
  await page.until(() => assert.deepEqual(page.bars(), PROMPT_A));
  assert.deepEqual(page.chips(), ["我", "喜欢"]);
});

test("undo after a reload takes the last word until none is left", async (t) => {
  const page = await (await mounted(t)).reload();
  page.click(page.button("撤销"));
  page.click(page.button("撤销"));
  assert.deepEqual(page.chips(), []);
  assert.equal(page.button("撤销").disabled, true);
  page.openMore();
  assert.equal(page.button("清空").disabled, true);
});

test("eight quick clicks on a slow line give eight words, and the numbers of the last two", async (t) => {
  const page = await mounted(t, "?tokens=");
  page.server.latency = 150;
  const before = page.server.asked("view").length;
  const words = ["我", "喜欢", "AI", "学习", "猫", "我", "喜欢", "猫"];
  for (const word of words) page.clickWord(word);
  assert.deepEqual(page.chips(), words, "the words are there before any answer");
  await page.until(() => assert.deepEqual(page.bars()[1], ["喜欢", "0.6845", "2.8750"]));
  const asked = page.server.asked("view").length - before;
  assert.ok(asked >= 1 && asked <= 8, `${asked} views`);
});

test("a double click on a word gives it twice", async (t) => {
  const page = await mounted(t);
  page.doubleClick(page.word("猫"));
  assert.deepEqual(page.chips(), ["我", "喜欢", "猫", "猫"]);
});
