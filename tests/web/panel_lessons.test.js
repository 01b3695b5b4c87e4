/** Lessons, the worked example, and the worksheet as it is built. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const TEXTS = {
  zh: { start: "开始: 为什么要位置", again: "再走一遍: 为什么要位置", next: "下一步", finish: "完成" },
  en: { start: "Start: Why positions", again: "Again: Why positions", next: "Next", finish: "Finish" },
};
const STRIP = ".mg-lesson:not(.mg-tour)";

async function opened(t, more) {
  const page = await mounted(t, `?v=1&panel=lessons&${more}`);
  await page.until(() => assert.equal(page.all(".mg-lesson-card").length, 5));
  return page;
}

function answer(page, text) {
  page.fill(page.one("#mg-lesson-answer"), text);
  page.press("Enter");
}

for (const [lang, texts] of Object.entries(TEXTS)) {
  test(`a lesson from start to finish (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}&tokens=4-1`);
    const graded = (grade) => page.until(() => assert.equal(page.one("#mg-lesson-verdict").dataset.grade, grade));
    page.click(page.button(texts.start));
    await page.until(() => assert.deepEqual(page.chips(), ["我", "我"]));
    assert.equal(page.document.activeElement, page.one(STRIP));
    page.click(page.button(texts.next, STRIP));
    await page.until(() => assert.equal(page.all('[data-key="position_embeddings"] .mg-zero').length, 8));
    page.click(page.button(texts.next, STRIP));
    page.click(page.button(texts.next, STRIP));
    answer(page, "0.25");
    await graded("wrong");
    answer(page, "😀");
    await page.until(() => assert.match(page.alert(), /😀/));
    await graded("none");
    answer(page, "0.5");
    await graded("right");
    assert.equal(page.alert(), ""); // the complaint went with its cause
    page.click(page.button(texts.finish, STRIP));
    await page.until(() => assert.deepEqual(page.chips(), ["猫", "喜欢"])); // what the person had
    assert.equal(page.isShown(page.one(STRIP)), false);
    const later = await page.reload();
    await later.until(() => later.button(texts.again));
  });
}

test("leaving a lesson puts everything back", async (t) => {
  const page = await opened(t, "tokens=3&switches=causal_mask~false");
  page.click(page.button("开始: 为什么要掩码"));
  await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢"]));
  await page.until(() => assert.doesNotMatch(page.search(), /switches/));
  page.click(page.button("离开这节课", STRIP));
  await page.until(() => assert.deepEqual(page.chips(), ["学习"]));
  await page.until(() => assert.match(decodeURIComponent(page.search()), /switches=causal_mask~false/));
});

test("LayerNorm of 1, 2, 3, 4 is worked out", async (t) => {
  const page = await opened(t, "lang=en");
  await page.until(() => assert.match(page.text(".mg-example"), /1\.5 ÷ 1\.118 ≈ 1\.342/));
  for (const text of [
    "(1 + 2 + 3 + 4) ÷ 4 = 2.5",
    "((−1.5)² + (−0.5)² + 0.5² + 1.5²) ÷ 4 = 1.25",
    "√(1.25 + 0.00001) ≈ 1.118",
  ]) {
    assert.ok(page.text(".mg-example").includes(text), text);
  }
});

for (const [lang, names] of Object.entries({
  zh: ["打印练习页", "打印答案页"],
  en: ["Print the worksheet", "Print the solution"],
})) {
  for (const [at, name] of names.entries()) {
    test(`the worksheet is built for printing: ${name}`, async (t) => {
      const page = await mounted(t, `?v=1&lang=${lang}&stage=residual_0`);
      const isSolution = at === 1;
      let printed = 0;
      page.window.print = globalThis.print = () => (printed += 1);
      await page.until(() => page.button(name));
      page.doubleClick(page.button(name));
      await page.until(() => assert.equal(printed, 1));
      assert.equal(page.server.asked("worksheet").length, 1);
      assert.equal(page.all(".mg-sheet-stage").length, 19);
      const blanks = page.texts(".mg-sheet .mg-sheet-blank");
      assert.ok(blanks.length > 50);
      assert.ok(blanks.every((text) => Boolean(text) === isSolution));
      assert.equal(page.text(".mg-sheet").includes("0.4835"), isSolution);
      assert.ok(page.document.documentElement.classList.contains("mg-printing"));
      page.window.dispatchEvent(new page.window.Event("afterprint"));
      assert.equal(page.all(".mg-sheet").length, 0);
      assert.equal(page.document.documentElement.classList.contains("mg-printing"), false);
    });
  }
}
