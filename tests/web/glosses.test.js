/** The five words in English, where somebody reads no Chinese. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { glossOf, withGloss } from "../../web/glosses.js";
import { createTranslator } from "../../web/translate.js";
import { mounted } from "./mounted.js";

const SHOWN = ["I", "like", "\u00a0", "learn", "cat"];
const glosses = (page, selector) => page.all(selector).map((element) => element.dataset.gloss ?? null);

test("a gloss is of the language, of a known word, and not the word itself", () => {
  let language = "en";
  const t = createTranslator({}, () => language, { en: { 猫: "cat", AI: "AI" } });
  assert.equal(glossOf("猫", t), "cat");
  assert.equal(withGloss("猫", t), "猫 “cat”");
  assert.equal(glossOf("AI", t), null);
  assert.equal(withGloss("AI", t), "AI");
  assert.equal(glossOf("constructor", t), null);
  language = "zh";
  assert.equal(withGloss("猫", t), "猫");
});

test("English shows them on palette, chips, bars and map; Chinese does not", async (t) => {
  const page = await mounted(t, "?lang=en");
  assert.deepEqual(glosses(page, ".mg-word-text"), SHOWN);
  assert.deepEqual(glosses(page, ".mg-bar-word"), SHOWN);
  assert.deepEqual(glosses(page, ".mg-chip-word"), ["I", "like"]);
  assert.deepEqual(page.all(".mg-chip").map(({ title }) => title), ["I", "like"]);
  assert.deepEqual(glosses(page, "button.mg-map-word"), ["I", "like"]);
  assert.match(page.all("button.mg-map-word")[1].getAttribute("aria-label"), /喜欢 “like”/);
  assert.match(page.all("button.mg-map-word")[1].title, /喜欢 “like”/);
  assert.match(page.all("[role=gridcell]")[0].getAttribute("aria-label"), /我 “I”/);
  assert.deepEqual(page.bars().map(([word]) => word), ["我", "喜欢", "AI", "学习", "猫"]);
  page.click(page.button("中文"));
  assert.deepEqual(page.all("[data-gloss]"), []);
  assert.match(page.all("[role=gridcell]")[0].getAttribute("aria-label"), /^我（/);
  assert.doesNotMatch(page.all("[role=gridcell]")[0].getAttribute("aria-label"), /“I”/);
});
