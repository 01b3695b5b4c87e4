/** A server that goes away and comes back under an open page loses nothing of the person's. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const LOST = /^与服务器的连接断了。你的句子还在/;
const isLate = (page) => page.element.classList.contains("mg-late");

test("words clicked while the server is away get their numbers when it is back", async (t) => {
  const page = await mounted(t);
  page.server.isUp = false;
  page.clickWord("猫");
  await page.until(() => assert.match(page.alert(), LOST));
  page.clickWord("喜欢");
  assert.deepEqual(page.chips(), ["我", "喜欢", "猫", "喜欢"]);
  await page.until(() => assert.ok(isLate(page), "the numbers are of an earlier sentence"));
  await page.pass(5000);
  page.server.isUp = true;
  await page.until(() => assert.deepEqual(page.bars()[3], ["学习", "0.5897", "2.6821"]));
  assert.equal(isLate(page), false);
  assert.deepEqual(page.chips(), ["我", "喜欢", "猫", "喜欢"]);
  await page.until(() => assert.equal(page.alert(), ""));
  page.click(page.button("让模型接一个词"));
  await page.until(() => assert.equal(page.chips().length, 5));
});

test("a generation cut off keeps its words and can go on", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.fill(page.field("生成多少个词"), "64");
  page.click(page.button("连续生成"));
  await page.until(() => assert.ok(page.chips().length >= 5));
  page.server.isUp = false;
  await page.until(() => assert.match(page.alert(), LOST));
  const kept = page.chips();
  assert.deepEqual(page.every("button", "停止"), []);
  await page.pass(5000);
  page.server.isUp = true;
  await page.until(() => assert.equal(page.alert(), ""));
  assert.deepEqual(page.chips(), kept);
  page.click(page.button("让模型接一个词"));
  await page.until(() => assert.equal(page.chips().length, kept.length + 1));
  assert.equal(page.alert(), "");
});
