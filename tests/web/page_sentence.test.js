/** Writing a sentence on the whole page: words, free text, what the model sees, undo and clear. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

const LESSON = JSON.parse(readFileSync(new URL("../lesson.json", import.meta.url), "utf8"));
const FIELD = "输入文字，接到句子后面";

function type(page, text, name = FIELD) {
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
    page.click(page.button("清空"));
    type(page, text);
    await page.until(() => assert.deepEqual(page.chips(), words));
    assert.equal(page.field(FIELD).value, "");
  }
});
