/** Chinese first whatever the browser prefers; English by a switch or the address. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const HAN = /[\u4e00-\u9fff]+/g;
const WORDS = /我|喜欢|学习|猫|中文/g;

/** All that the header, the sentence bar and the footer say, also to screen readers. */
function shellText(page) {
  const said = ["aria-label", "title", "placeholder"];
  return page
    .all(".mg-header, .mg-sentence, .mg-footer")
    .flatMap((part) => [part, ...part.querySelectorAll("*")])
    .flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
      ...said.map((name) => element.getAttribute(name) ?? ""),
    ])
    .join(" ");
}

const han = (page) => shellText(page).replace(WORDS, "").match(HAN) ?? [];

test("the page is Chinese first", async (t) => {
  const page = await mounted(t);
  assert.equal(page.document.documentElement.lang, "zh-CN");
  assert.equal(page.every("button", "让模型接一个词").length, 1);
  assert.equal(page.document.title, "MiniGPT：一个能用铅笔验算的 GPT");
});

test("English by the switch is complete and keeps the sentence", async (t) => {
  const page = await mounted(t);
  page.click(page.button("让模型接一个词"));
  await page.until(() => assert.equal(page.chips().length, 3));
  page.openMore();
  page.click(page.named("radio", "采样 sampling"));
  assert.ok(han(page).length > 20, "what is looked for is found in Chinese");
  page.click(page.button("English"));
  assert.equal(page.every("button", "Append one").length, 1);
  assert.equal(page.document.documentElement.lang, "en");
  assert.equal(page.document.title, "MiniGPT: a GPT you can check with a pencil");
  assert.deepEqual(han(page), []);
  assert.deepEqual(page.chips(), ["我", "喜欢", "学习"]);
  page.click(page.button("中文"));
  assert.equal(page.every("button", "让模型接一个词").length, 1);
  assert.equal(page.document.documentElement.lang, "zh-CN");
});

test("English by the address, and its errors too", async (t) => {
  const page = await mounted(t, "?lang=en");
  page.openMore();
  page.fill(page.field("Type words to add to the sentence"), "我 dog");
  page.press("Enter");
  await page.until(() =>
    assert.match(page.alert(), /“dog” at character 3 is not a word of this model\./),
  );
  assert.deepEqual(han(page), []);
});

test("the theme can be switched, and its button says to what", async (t) => {
  const page = await mounted(t);
  const isDark = () => page.document.body.classList.contains("dark");
  assert.equal(isDark(), false);
  page.click(page.button("深色"));
  assert.equal(isDark(), true);
  page.click(page.button("浅色"));
  assert.equal(isDark(), false);
});
