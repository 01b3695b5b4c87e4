/** The browser's language at a first visit, else Chinese; another one by the switch or the address. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

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

for (const [languages, tag, append] of [
  [["zh-TW"], "zh-CN", "让模型接一个词"],
  [["en-GB"], "en", "Append one"],
  [["fr"], "zh-CN", "让模型接一个词"],
  [["fr", "EN"], "en", "Append one"],
  [["en-GB", "zh-CN"], "en", "Append one"],
  [["zhx", "enm"], "zh-CN", "让模型接一个词"], // other languages whose tags only begin alike
  [[], "zh-CN", "让模型接一个词"],
]) {
  test(`a first visit in a browser set to ${languages.join(", ") || "nothing"}`, async (t) => {
    const page = await mounted(t, "", { languages });
    assert.equal(page.document.documentElement.lang, tag);
    assert.equal(page.every("button", append).length, 1);
    assert.equal(page.search(), "");
    assert.deepEqual(page.bars(), PROMPT_A);
    assert.deepEqual(page.server.asked("view"), []);
  });
}

test("what the switch chose is kept for later visits, whatever the browser prefers", async (t) => {
  const english = await mounted(t, "", { languages: ["fr"] });
  english.click(english.button("English"));
  const later = await mounted(t, "", { languages: ["fr"], stored: english.window });
  assert.equal(later.document.documentElement.lang, "en");
  later.click(later.button("中文"));
  const last = await mounted(t, "", { languages: ["en"], stored: later.window });
  assert.equal(last.document.documentElement.lang, "zh-CN");
});

test("an address's language is stronger than both, and is not kept", async (t) => {
  const page = await mounted(t, "?lang=zh", { languages: ["en"] });
  assert.equal(page.document.documentElement.lang, "zh-CN");
  const later = await mounted(t, "", { languages: ["en"], stored: page.window });
  assert.equal(later.document.documentElement.lang, "en");
  later.click(later.button("中文"));
  const asked = await mounted(t, "?lang=en", { languages: ["en"], stored: later.window });
  assert.equal(asked.document.documentElement.lang, "en");
});

test("what is kept and is no language of the page is ignored", async (t) => {
  const page = await mounted(t);
  for (const text of ['"xx"', "{}", "[", "null"]) {
    page.window.localStorage.setItem("mini-gpt.language", text);
    const later = await mounted(t, "", { stored: page.window });
    assert.equal(later.document.documentElement.lang, "zh-CN", text);
  }
});

test("an address made in a browser of another language names its own", async (t) => {
  const page = await mounted(t, "", { languages: ["en"] });
  page.clickWord("猫");
  await page.answered();
  assert.equal(page.search(), "?v=1&tokens=0-1-4&lang=en");
  page.click(page.button("中文"));
  assert.equal(page.search(), "?v=1&tokens=0-1-4&lang=zh");
  const elsewhere = await mounted(t, page.search(), { languages: ["en"] });
  assert.equal(elsewhere.document.documentElement.lang, "zh-CN");
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
