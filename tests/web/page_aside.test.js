/** What opens beside the map: the working and a panel, one in front, closed by × or Escape. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const CELL = "?v=1&stage=logits&cell=1.3";
const isOpen = (page, part) => page.isShown(page.one(part));
const choice = (page, name) => page.named("button", name, ".mg-aside-head");

/** What is in front, and between what one can choose. */
function standing(page) {
  const choices = page.all(".mg-aside-choice").filter(page.isShown);
  const pressed = choices.filter((one) => one.getAttribute("aria-pressed") === "true").map(page.textOf);
  const shown = [".mg-working-area", ".mg-panels-area"].filter((area) => isOpen(page, area));
  return { choices: choices.map(page.textOf), pressed, shown };
}

test("nothing lies beside the map until something is opened", async (t) => {
  const page = await mounted(t);
  assert.equal(isOpen(page, ".mg-aside"), false);
  assert.equal(page.one(".mg-desk").classList.contains("mg-desk-open"), false);
  page.openStage("logits");
  await page.until(() => assert.ok(page.texts(".mg-card .mg-line-text").length));
  assert.deepEqual(standing(page), { choices: ["算式"], pressed: ["算式"], shown: [".mg-working-area"] });
  assert.match(page.search(), /stage=logits&cell=1\.3$/); // the largest logit of the last word
  assert.ok(page.one(".mg-desk").classList.contains("mg-desk-open"));
});

test("what was opened last is in front, and the other one click away", async (t) => {
  const page = await mounted(t, CELL);
  page.click(page.one("#mg-tab-cost"));
  const both = ["算式", "一个词的代价"];
  assert.deepEqual(standing(page), { choices: both, pressed: ["一个词的代价"], shown: [".mg-panels-area"] });
  page.click(choice(page, "算式"));
  assert.deepEqual(standing(page), { choices: both, pressed: ["算式"], shown: [".mg-working-area"] });
  page.click(choice(page, "一个词的代价"));
  assert.deepEqual(standing(page).shown, [".mg-panels-area"]);
  page.fire(page.all('[data-stage="residual_0"] [role=gridcell]')[0], "MouseEvent", "click");
  assert.deepEqual(standing(page).pressed, ["算式"]);
  await page.pass(1000);
});

test("× closes what is in front, then the other; the focus goes to where each was opened", async (t) => {
  const page = await mounted(t, CELL);
  page.click(page.one("#mg-tab-cost"));
  page.click(choice(page, "关闭"));
  assert.deepEqual(standing(page), { choices: ["算式"], pressed: ["算式"], shown: [".mg-working-area"] });
  assert.equal(page.document.activeElement, page.one("#mg-tab-cost"));
  await page.until(() => assert.equal(page.search(), CELL));
  page.click(choice(page, "关闭"));
  assert.equal(isOpen(page, ".mg-aside"), false);
  assert.ok(page.one(".mg-map").contains(page.document.activeElement));
  assert.equal(page.all(".mg-map .mg-map-chosen").length, 0);
  await page.until(() => assert.doesNotMatch(page.search(), /stage|cell|panel/));
});

test("Escape closes what it is pressed in", async (t) => {
  const page = await mounted(t, `${CELL}&panel=cost`);
  choice(page, "一个词的代价").focus();
  page.press("Enter");
  page.press("Escape");
  assert.deepEqual(standing(page).shown, [".mg-working-area"]);
  page.document.body.focus();
  page.document.activeElement.blur();
  page.press("Escape");
  assert.ok(isOpen(page, ".mg-aside"), "pressed elsewhere it closes nothing");
  choice(page, "算式").focus();
  page.press("Escape");
  assert.equal(isOpen(page, ".mg-aside"), false);
  await page.pass(1000);
});

test("it can be wide, and is as before when it opens anew", async (t) => {
  const page = await mounted(t, CELL);
  const isWide = () => page.one(".mg-desk").classList.contains("mg-desk-wide");
  const widen = choice(page, "加宽");
  page.click(widen);
  assert.equal(isWide(), true);
  assert.equal(choice(page, "收窄"), widen);
  assert.equal(widen.getAttribute("aria-pressed"), "true");
  page.click(choice(page, "关闭"));
  page.openStage("logits");
  assert.equal(isWide(), false);
  await page.pass(1000);
});

test("a lesson's step stands above what is in front, and keeps its place when that is closed", async (t) => {
  const page = await mounted(t, "?v=1&panel=lessons");
  await page.until(() => page.button("开始: 为什么要掩码"));
  page.click(page.button("开始: 为什么要掩码"));
  await page.until(() => assert.ok(isOpen(page, ".mg-lesson:not(.mg-tour)")));
  const strip = page.one(".mg-lesson:not(.mg-tour)");
  assert.equal(strip.parentElement, page.one(".mg-lesson-place"));
  for (let open = standing(page).choices.length; open > 0; open -= 1) page.click(choice(page, "关闭"));
  assert.ok(page.isShown(strip));
  page.click(page.button("离开这节课", strip));
  await page.pass(1000);
  assert.equal(page.isShown(strip), false);
});

test("a click on the map redraws nothing of it and scrolls nothing into view", async (t) => {
  const page = await mounted(t);
  const before = page.all(".mg-map-board > *");
  page.openStage("blocks.0.scores");
  await page.until(() => assert.ok(page.texts(".mg-card .mg-line-text").length));
  assert.deepEqual(page.all(".mg-map-board > *"), before);
  assert.deepEqual(page.scrolled, []);
});
