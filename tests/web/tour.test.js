/** The tour: six steps, each done by the person, by keyboard too, and resumed from a link. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { STEPS } from "../../web/tour/steps.js";

const TOUR = ".mg-tour";
const step = (page) => page.text(`${TOUR} .mg-lesson-eyebrow`);
const said = (page) => page.text(`${TOUR} .mg-tour-said`);
const mapCell = (page, stage, at) => page.all(`[data-stage="${stage}"] .mg-map-cell`)[at];

const headTwo = (page) => page.all("[role=switch]").find((each) => /^头 2/.test(page.nameOf(each)));

async function next(page, name = "继续导览") {
  page.click(page.button(name, TOUR));
  await page.answered();
}

test("the whole tour: nothing counts as done before it is", async (t) => {
  const page = await mounted(t, "?tokens=4-1");
  page.click(page.button("导览"));
  await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢"]));
  assert.match(step(page), /1 \/ 6/);
  assert.deepEqual(page.bars().map(([, share]) => share), Array(5).fill("—")); // to be guessed
  page.click(page.button("AI", `${TOUR} .mg-tour-words`));
  await page.until(() => assert.match(said(page), /^你猜 AI，模型给它 0\.0124；它最看好 学习，概率 0\.4835/)); // no tick
  assert.equal(page.bars()[3][1], "0.4835");

  await next(page);
  assert.equal(said(page), "");
  assert.equal(page.one(".mg-map-ring-target").style.display, "");
  page.click(mapCell(page, "logits", 0));
  await page.answered();
  assert.equal(said(page), ""); // another cell
  page.click(mapCell(page, "logits", 8));
  await page.until(() => assert.match(said(page), /算式/));
  assert.equal(page.one(".mg-map-ring-target").style.display, "none");

  await next(page);
  assert.ok(page.one("#mg-tab-weights").classList.contains("mg-target"));
  page.click(page.named("tab", "权重"));
  await page.until(() => assert.ok(headTwo(page)));
  page.click(headTwo(page));
  await page.until(() => assert.match(said(page), /现在模型最看好 我/));

  await next(page);
  await page.until(() => assert.doesNotMatch(page.search(), /switches/));
  assert.equal(said(page), "");
  page.click(page.one(".mg-weights-switch input[value=trained]"));
  await page.until(() => assert.match(said(page), /我 喜欢”之后，AI 的概率是 0\.\d{4}/));

  await next(page);
  await page.until(() => assert.ok(page.isShown(page.one("#mg-answer"))));
  page.fill(page.one("#mg-answer"), "2");
  page.press("Enter");
  await page.until(() => assert.equal(page.one("#mg-answer-verdict").dataset.grade, "wrong"));
  assert.equal(said(page), "");
  page.fill(page.one("#mg-answer"), "1.4944");
  page.press("Enter");
  await page.until(() => assert.match(said(page), /对/));

  await next(page);
  await page.until(() => assert.deepEqual(page.chips(), []));
  await page.pass(1000);
  assert.equal(page.alert(), ""); // nobody asks about a cell of the sentence that is gone
  assert.equal(page.text(".mg-difference"), "");
  for (const word of ["猫", "喜欢"]) page.clickWord(word);
  await page.answered();
  assert.equal(said(page), "");
  page.clickWord("学习");
  await page.until(() => assert.match(said(page), /写好了/));
  await next(page, "完成");
  assert.equal(page.isShown(page.one(TOUR)), false);
  assert.deepEqual(page.chips(), ["猫", "喜欢", "学习"]); // the person's own sentence stays
  assert.doesNotMatch(page.search(), /tour/);
});

test("leaving the tour puts back what the person had, and hides nothing any more", async (t) => {
  const page = await mounted(t, "?tokens=3&panel=cost");
  page.click(page.button("导览"));
  await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢"]));
  page.click(page.button("离开导览", TOUR));
  await page.until(() => assert.deepEqual(page.chips(), ["学习"]));
  await page.answered();
  assert.ok(page.bars().every(([, share]) => share !== "—"));
  assert.match(page.search(), /panel=cost/);
  assert.equal(page.document.activeElement, page.one(".mg-tour-button"));
});

test("the tour goes on where it was left, from its button and from a link", async (t) => {
  const page = await mounted(t, "");
  page.click(page.button("导览"));
  page.click(page.button("跳过这一步", TOUR));
  await page.answered();
  assert.match(page.search(), /tour=2/);
  page.click(page.button("离开导览", TOUR));
  const later = await page.reload();
  later.click(later.button("继续导览"));
  await later.answered();
  assert.match(step(later), /2 \/ 6/);

  const linked = await mounted(t, "?tour=3");
  await linked.answered();
  assert.match(step(linked), /3 \/ 6/);
  assert.match(linked.search(), /stage=vocabulary_probs/); // the step's own scene
  const within = await mounted(t, "?tour=3&switches=blocks.0.head.1~false");
  await within.until(() => assert.match(said(within), /现在模型最看好 我/)); // done already
});

test("an address with no such step says so and begins no tour", async (t) => {
  for (const wrong of ["0", String(STEPS.length + 1), "x"]) {
    const page = await mounted(t, `?tour=${wrong}`);
    assert.match(page.alert(), /tour/);
    assert.equal(page.isShown(page.one(TOUR)), false);
  }
});

test("the tour by keyboard alone", async (t) => {
  const page = await mounted(t, "?lang=en");
  page.button("Tour").focus();
  page.press("Enter");
  await page.answered();
  assert.equal(page.document.activeElement, page.one(TOUR));
  page.button("学习", `${TOUR} .mg-tour-words`).focus();
  page.press("Enter");
  await page.until(() => assert.match(said(page), /^✓ Right: the model's favourite is 学习/));
  assert.equal(page.document.activeElement, page.one(TOUR)); // the word that had it is gone
  page.button("Go on", TOUR).focus();
  page.press("Enter");
  await page.answered();
  mapCell(page, "logits", 8).focus();
  page.press("Enter");
  await page.until(() => assert.match(said(page), /working/));
});

test("a step closes the film, and brings the tool that it rings into view", async (t) => {
  const page = await mounted(t, "?film=5");
  page.click(page.button("导览"));
  await page.until(() => assert.doesNotMatch(page.search(), /film/));
  assert.equal(page.isShown(page.one(".mg-film")), false);
  await next(page, "跳过这一步");
  await next(page, "跳过这一步");
  await page.pass(500);
  assert.deepEqual(page.scrolled.map(({ id }) => id).filter(Boolean), ["mg-tab-weights"]);
});
