/** The working area on the whole page: read like a book, every cell's arithmetic one click away. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const STEP = { zh: (number) => `第 ${number} / 19 步`, en: (number) => `Step ${number} / 19` };
const PLACE = {
  zh: "头 1，喜欢（位置 1），通道 0：0.9944",
  en: "head 1, 喜欢 “like” (position 1), channel 0: 0.9944",
};
const LINE = "0.1575×(−0.2156) + 0.8425×1.2206 ≈ 0.9944";

const lines = (page) => page.texts(".mg-working .mg-card .mg-line-text");
const card = (page) => page.one(".mg-working .mg-card");
const area = (page) => page.one(".mg-working");
const isAtStep = (page, number, lang = "zh") =>
  page.until(() => assert.ok(area(page).querySelector(".mg-working-step").textContent.includes(STEP[lang](number))));
const endsWith = (page, line) => page.until(() => assert.equal(lines(page).at(-1), line));

/** The lines of the working that the server gave last, as the page must show them. */
function toldLines(page) {
  const found = page.server.asked("stage_values").findLast(({ done, answer }) => done && answer?.working);
  return found.answer.working.lines.map(
    ({ pieces, relation, result }) => `${pieces.map(({ text }) => text).join("")} ${relation} ${result}`,
  );
}

test("a cell shows its arithmetic, in both languages", async (t) => {
  const page = await mounted(t, "?v=1&lang=en&stage=blocks.0.head_outputs");
  for (const lang of ["en", "zh"]) {
    await page.until(() => page.button(PLACE[lang], area(page)));
    page.click(page.button(PLACE[lang], area(page)));
    await endsWith(page, LINE);
    assert.deepEqual(lines(page), [LINE]);
    assert.deepEqual(toldLines(page), [LINE]);
    assert.match(page.search(), /cell=0\.1\.0$/);
    if (lang === "en") page.click(page.button("中文"));
  }
});

for (const lang of ["zh", "en"]) {
  test(`the whole network is read with one key: ${lang}`, async (t) => {
    const page = await mounted(t, `?v=1&lang=${lang}`);
    await page.answered();
    const titles = [];
    for (let number = 1; number <= 19; number += 1) {
      page.press("n"); // nothing is open at first
      await isAtStep(page, number, lang);
      titles.push(page.text(".mg-working-title"));
      await page.until(() => assert.ok(area(page).querySelector("math"), `no formula at ${number}`));
    }
    page.press("n"); // there is none after it
    assert.equal(new Set([...titles, "GELU"]).size, 19);
    await isAtStep(page, 19, lang);
    page.press("p");
    await isAtStep(page, 18, lang);
    page.press("ArrowRight");
    await isAtStep(page, 19, lang);
  });
}

test("buttons and contents lead through it too", async (t) => {
  const page = await mounted(t, "?v=1&lang=en");
  page.openStage("token_embeddings");
  await isAtStep(page, 1, "en");
  page.click(page.button(/^Next/, page.one(".mg-working nav")));
  await isAtStep(page, 2, "en");
  page.click(page.button("Next: Q, K, V →", area(page)));
  await isAtStep(page, 3, "en");
  const contents = page.named("combobox", "All steps");
  const chosen = [...contents.options].find(({ textContent }) => textContent === "18. Probabilities");
  page.fill(contents, chosen.value);
  await isAtStep(page, 18, "en");
  await page.until(() => assert.match(page.search(), /stage=vocabulary_probs&cell=1\.3$/)); // the most probable word
});

test("operands lead to where they came from and back", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.head_outputs&cell=0.1.0");
  await endsWith(page, LINE);
  page.click(page.button("0.1575，来自注意力，头 1，喜欢（位置 1），看 我（位置 0）", card(page)));
  await isAtStep(page, 6);
  await endsWith(page, "0.5910 ÷ 3.7526 ≈ 0.1575");
  const cell = page.button("头 1，喜欢（位置 1），看 我（位置 0）：0.1575", area(page));
  assert.equal(cell.getAttribute("aria-current"), "true");
  assert.equal(page.document.activeElement, page.one("#mg-card-title"));
  page.click(page.button(/回到刚才/, card(page)));
  await isAtStep(page, 7);
  await endsWith(page, LINE);
  assert.deepEqual(lines(page), [LINE]);
});

test("a weight is a cell too; the last figure is explained where four decimals miss it", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits&cell=1.3");
  await page.until(() => assert.match(lines(page)[0] ?? "", /≈ 2\.1336$/));
  assert.match(page.textOf(card(page)), /会得到 2\.1335，而不是 2\.1336/);
  assert.deepEqual(lines(page), toldLines(page));
  page.click(page.button(/^3，来自W_out/, card(page)));
  await page.until(() => assert.match(page.textOf(card(page)), /这是一个权重/));
  assert.match(page.search(), /stage=lm_head\.weight&cell=3\.1$/);
});

test("the working follows the sentence", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.attention_probs&cell=0.1.0");
  await endsWith(page, "0.5910 ÷ 3.7526 ≈ 0.1575");
  page.clickWord("猫");
  await page.until(() => assert.notEqual(lines(page).at(-1), "0.5910 ÷ 3.7526 ≈ 0.1575"));
  assert.deepEqual(lines(page), toldLines(page));
  const table = page.all('.mg-working [data-key="blocks.0.attention_probs"]');
  const rows = table.flatMap((one) => page.every("rowheader", /^猫/, one));
  assert.equal(rows.length, 2, "a table for each head");
});

test("arrow keys walk through a table", async (t) => {
  const page = await mounted(t, "?v=1&stage=residual_0");
  await page.until(() => page.button("我（位置 0），通道 0：0.2500", area(page)).focus());
  page.press("ArrowRight");
  page.press("ArrowDown");
  page.press("Enter");
  await endsWith(page, "0.3 + 0 = 0.3");
  assert.equal(lines(page).length, 1);
});

test("the working can be copied without permission", async (t) => {
  const page = await mounted(t, "?v=1&lang=en&stage=blocks.0.head_outputs&cell=0.1.0");
  await endsWith(page, LINE);
  let copied = null;
  page.document.execCommand = (command) => {
    copied = page.one("textarea.mg-hidden").value; // selected there a moment before
    return command === "copy";
  };
  page.click(page.button("Copy as text", card(page)));
  await page.until(() => assert.match(page.textOf(card(page)), /Copied/));
  assert.ok(copied.includes(LINE));
});

test("both engines are compared at the stop", async (t) => {
  const page = await mounted(t, "?v=1&lang=en&stage=logits&cell=1.3");
  await page.until(() => page.named("table", "Two engines"));
  assert.match(page.textOf(page.named("row", /logits/i, page.named("table", "Two engines"))), /\d+ of 10/);
  assert.match(page.textOf(area(page)), /The largest difference in the whole network/);
  await page.until(() => assert.ok(page.isShown(page.one(".mg-engine-cell"))));
  assert.equal(page.text(".mg-engine-cell").match(/2\.1335\d+/g).length, 2);
});

for (const lang of ["zh", "en"]) {
  test(`an answer is checked and remembered: ${lang}`, async (t) => {
    const page = await mounted(t, `?v=1&lang=${lang}&stage=blocks.0.scores`);
    const cells = (from) => from.all('.mg-working [data-key="blocks.0.scores"] .mg-cell');
    await page.until(() => assert.ok(cells(page).length));
    page.click(page.named("checkbox", { zh: /^隐藏这一步的结果/, en: /^Hide the results of this step/ }[lang]));
    const cell = cells(page)[2];
    assert.equal(cell.textContent, "?");
    const hidden = { zh: "看 我（位置 0）：还没算", en: "looks at 我 “I” (position 0): not worked out yet" };
    assert.ok(cell.getAttribute("aria-label").endsWith(hidden[lang]));
    page.click(cell);
    await page.until(() => assert.equal(page.document.activeElement.id, "mg-answer"));
    const field = page.one("#mg-answer");
    assert.match(page.nameOf(field), /多少|What is/);
    page.fill(field, "-0.7439");
    page.press("Enter");
    const divided = { zh: /忘了 ÷√D/, en: /It was not divided by √D/ }[lang];
    await page.until(() => assert.match(page.text("#mg-answer-verdict"), divided));
    page.fill(field, "−0.5260");
    page.press("Enter");
    await page.until(() => assert.equal(cells(page)[2].textContent, "−0.5260"));
    const again = await page.reload();
    await again.until(() => assert.ok(cells(again).length));
    await again.pass(1000);
    assert.deepEqual(cells(again).slice(2).map((one) => one.textContent).slice(0, 2), ["−0.5260", "?"]);
  });
}

test("what was typed for one cell is not the next one's", async (t) => {
  const page = await mounted(t, "?v=1&lang=en&stage=blocks.0.scores");
  const cells = () => page.all('.mg-working [data-key="blocks.0.scores"] .mg-cell');
  await page.until(() => assert.ok(cells().length));
  page.click(page.named("checkbox", /^Hide the results of this step/));
  page.click(cells()[2]);
  await page.until(() => assert.equal(page.document.activeElement.id, "mg-answer"));
  page.fill(page.one("#mg-answer"), "-0.7439");
  page.press("Enter");
  await page.until(() => assert.match(page.text("#mg-answer-verdict"), /not divided/));
  page.click(cells()[3]);
  await page.until(() => assert.equal(page.one("#mg-answer").value, ""));
  assert.match(page.search(), /cell=0\.1\.1$/);
  assert.equal(page.text("#mg-answer-verdict"), "");
});

test("an edited weight and a switch reach the working", async (t) => {
  const edited = await mounted(t, "?v=1&stage=logits&cell=1.3&edits=lm_head.bias~3~0.5");
  await edited.until(() => assert.match(lines(edited).at(-1) ?? "", /2\.6336$/));
  assert.equal(edited.all('.mg-working [data-key="lm_head.bias"] .mg-edited').length, 1);
  const switched = await mounted(t, "?v=1&stage=blocks.0.ffn_update&cell=1.0&switches=blocks.0.ffn~false");
  await switched.until(() => assert.match(lines(switched)[0] ?? "", /×0 = 0$/));
});

test("the learned network has a step for every stop of both blocks", async (t) => {
  const page = await mounted(t, "?v=1&model=trained&tokens=0-1-2&stage=blocks.1.ffn_update&cell=2.1");
  await page.until(() => assert.match(page.text(".mg-working-step"), /\/ 33 步/));
  await page.until(() => assert.ok(lines(page).length));
  assert.deepEqual(lines(page), toldLines(page));
});

test("an empty sentence says what to do", async (t) => {
  const page = await mounted(t, "?v=1&tokens=&stage=logits&cell=1.3");
  await page.until(() => assert.equal(page.text(".mg-working-empty"), "先点一个词，这里就会写出每一步的数。"));
  assert.ok(page.isShown(page.one(".mg-working-empty")));
  page.clickWord("猫");
  await page.until(() => assert.ok(page.all('.mg-working [data-key="logits"] .mg-cell').length));
  assert.ok(!page.isShown(page.one(".mg-working-empty")));
});
