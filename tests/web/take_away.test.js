/** What can be taken away: the map's picture, a working as LaTeX, a link. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createTranslator } from "../../web/translate.js";
import { mapPicture } from "../../web/take_away/picture.js";
import { themeFrom } from "../../web/take_away/theme.js";
import { fitting } from "../../web/map/stage_view.js";
import { viewOf } from "./map_view.js";
import { mounted, STRINGS } from "./mounted.js";

const BASE = readFileSync(new URL("../../web/css/base.css", import.meta.url), "utf8");
const [LIGHT, DARK] = [/^\.mini-gpt \{([^}]*)\}/m, /^\.dark \.mini-gpt \{([^}]*)\}/m].map((rule) =>
  Object.fromEntries([...rule.exec(BASE)[1].matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value])),
);
const THEMES = { light: themeFrom((name) => LIGHT[name]), dark: themeFrom((name) => DARK[name] ?? LIGHT[name]) };
const NASTY = `<b>&"'x`;
const TEACHING = { vocab_size: 5, context_length: 2, model_dim: 4, num_heads: 2, num_layers: 1 };

const t = (language) => createTranslator(STRINGS, () => language, { en: { 猫: "cat" } });

/** The picture as an XML document; that it parses is part of each test. */
async function drawn(given, view, { theme = "light", language = "zh", caption = "…" } = {}) {
  const page = await mounted(given);
  const { text, width, height } = mapPicture(view(page), { theme: THEMES[theme], t: t(language), caption });
  const parsed = new page.window.DOMParser().parseFromString(text, "application/xml");
  assert.equal(parsed.documentElement.localName, "svg");
  assert.equal(parsed.querySelector("parsererror"), null);
  return { text, parsed, width, height, page };
}

function numbersOf(part) {
  return Array.isArray(part) ? part.flatMap(numbersOf) : [fitting(part)];
}

/** The page with its fold opened. */
async function opened(given, search = "", more = {}) {
  const page = await mounted(given, search, more);
  page.one(".mg-take").open = true;
  await page.answered();
  return page;
}

const shared = async (page) => structuredClone(page.initial.view);

for (const [theme, language] of [["light", "zh"], ["dark", "en"]]) {
  test(`the picture has every number of the trace that the map shows: ${theme}`, async (given) => {
    const made = await drawn(given, (page) => page.initial.view, { theme, language, caption: "caption" });
    const { trace } = await shared(made.page);
    const shown = [...made.parsed.querySelectorAll("text, rect > title")].map((text) => text.textContent);
    const left = [...shown];
    for (const [key, tensor] of Object.entries(trace)) {
      if (!made.page.one(`[data-stage="${key}"]`)) continue;
      for (const number of numbersOf(tensor)) {
        const at = left.indexOf(number);
        assert.ok(at >= 0, `${key}: ${number}`);
        left.splice(at, 1);
      }
    }
    assert.ok(left.includes("caption"));
    assert.ok(left.includes("我") && left.includes(STRINGS["map.road"][language]));
  });

  test(`the picture needs nothing but itself: ${theme}`, async (given) => {
    const { text, parsed } = await drawn(given, (page) => page.initial.view, { theme, language });
    assert.doesNotMatch(text.replace(/xmlns(:\w+)?="[^"]*"/g, ""), /https?:|url\(|href|var\(|color-mix|class=|style=|data-/);
    for (const shape of parsed.querySelectorAll("rect, path, circle, text")) {
      const painted = [shape.getAttribute("fill"), shape.getAttribute("stroke")].filter(Boolean);
      assert.ok(painted.length, shape.outerHTML);
      for (const colour of painted) assert.match(colour, /^(#[0-9a-f]{6}|none)$/, shape.outerHTML);
      for (const { name, value } of shape.attributes) assert.doesNotMatch(value, /NaN|undefined|Infinity/, name);
    }
    assert.equal(parsed.documentElement.getAttribute("lang"), language === "zh" ? "zh-CN" : "en");
  });
}

test("words of one's own are text, whatever they contain", async (given) => {
  const view = () => viewOf([0, 1], { words: [NASTY, "喜欢", "AI", "学习", "猫"] });
  const { text, parsed } = await drawn(given, view, { caption: NASTY });
  assert.equal(parsed.querySelector("b"), null);
  const shown = [...parsed.querySelectorAll("text")].map((one) => one.textContent);
  assert.ok(shown.includes(NASTY));
  assert.doesNotMatch(text, /<b>/);
});

test("other networks, longer windows and hidden numbers have a picture too", async (given) => {
  const large = { vocab_size: 30, context_length: 8, model_dim: 8, num_heads: 4, num_layers: 2 };
  const words = Array.from({ length: 30 }, (_, id) => `word${id}`);
  const page = await mounted(given);
  const options = { theme: THEMES.light, t: t("en"), caption: "a ".repeat(400) };
  const long = mapPicture(viewOf([0, 1, 2, 3, 4, 0, 1, 2], { config: large, words }), options);
  assert.ok(long.height > 600 && long.text.includes("word4"));
  const hidden = viewOf([0, 1], { config: TEACHING });
  hidden.trace.vocabulary_probs = hidden.trace.vocabulary_probs.map((row) => row.map(() => NaN));
  const { text } = mapPicture(hidden, options);
  assert.ok(new page.window.DOMParser().parseFromString(text, "application/xml").documentElement.textContent.includes("?"));
});

test("the buttons wait for what they take: a sentence, an open cell", async (given) => {
  const page = await opened(given);
  const fold = () => page.one(".mg-take");
  const isOff = (name) => {
    fold().open = true; // a click elsewhere has closed it
    return page.button(name).disabled;
  };
  assert.equal(isOff("地图：SVG"), false);
  assert.equal(isOff("复制算式的 LaTeX"), true);
  page.click(page.all("[role=gridcell]")[0]);
  assert.equal(fold().open, false);
  await page.answered();
  assert.equal(isOff("复制算式的 LaTeX"), false);
  page.openMore();
  page.click(page.button("清空"));
  await page.answered();
  assert.equal(isOff("地图：SVG"), true);
  assert.equal(isOff("地图：PNG"), true);
  assert.equal(isOff("算式：.tex 文件"), true);
  assert.equal(isOff("复制这个状态的链接"), false);
});

test("the working is saved as a document with every number of the lines that are shown", async (given) => {
  const page = await opened(given, "?v=1&stage=blocks.0.attention_probs&cell=0.1.0");
  await page.answered();
  page.click(page.button("算式：.tex 文件"));
  await page.until(() => assert.equal(page.downloads.length, 1));
  const { name, content } = page.downloads[0];
  assert.equal(name, "minigpt.tex");
  const text = new TextDecoder().decode(await content);
  const numbers = (written) => written.match(/\d+(\.\d+)?/g) ?? [];
  const displays = [...text.matchAll(/\\begin\{align\*\}\n([^]*?)\n\\end\{align\*\}/g)].map(([, body]) => numbers(body));
  const lines = page.all("[aria-labelledby=mg-card-title] .mg-line-text").map((line) => numbers(line.textContent));
  assert.deepEqual(displays, lines);
  assert.match(text, /\\\[ P_\{t,u\} = \\frac/);
  assert.match(text, /我 喜欢/);
  assert.match(text, /0\.4835/);
});

test("the link names the whole state, its language too", async (given) => {
  const copied = [];
  const page = await opened(given, "?v=1&tokens=4-1&__theme=dark");
  Object.defineProperty(page.window.navigator, "clipboard", { value: { writeText: async (text) => copied.push(text) } });
  page.click(page.button("复制这个状态的链接"));
  await page.until(() => assert.equal(copied.length, 1));
  assert.equal(copied[0], "http://page.test/?v=1&tokens=4-1&lang=zh&__theme=dark");
});

test("where copying is forbidden the text stands there, selected", async (given) => {
  const page = await opened(given);
  page.click(page.button("复制这个状态的链接"));
  await page.until(() => assert.equal(page.field("要复制的文字").value, "http://page.test/?v=1&lang=zh"));
});

test("Escape and a click elsewhere close it, a click inside does not", async (given) => {
  const page = await opened(given);
  const fold = page.one(".mg-take");
  page.fire(page.one(".mg-take-menu"), "MouseEvent", "pointerdown");
  assert.equal(fold.open, true);
  page.fire(page.one(".mg-map"), "MouseEvent", "pointerdown");
  assert.equal(fold.open, false);
  fold.open = true;
  page.button("地图：SVG").focus();
  page.press("Escape");
  assert.equal(fold.open, false);
  assert.equal(page.document.activeElement, page.one(".mg-take summary"));
});
