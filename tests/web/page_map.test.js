/** The map on the whole page, against the real trace: true values, names, pointing, choosing. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const PLACES = { zh: "喜欢（位置 1），通道 2", en: "喜欢 “like” (position 1), channel 2" };
const TITLES = { zh: "注意力更新 attention_update", en: "Attention update attention_update" };

/** A value as the page writes it, to four decimals. */
function written(value) {
  if (value === null) return "−∞";
  const text = Math.abs(value).toFixed(4);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

const flat = (tensor) => [tensor].flat(Infinity);
const stage = (page, key) => page.one(`[data-stage="${key}"]`);
const cells = (page, key) => page.all("[role=gridcell]", stage(page, key));
const name = (cell) => cell.getAttribute("aria-label");

/** The trace of what the page shows now, from the server's own answer. */
const traceOf = (page) => page.server.asked("view").findLast(({ done }) => done).answer.trace;

function everyCellIsTrue(page, trace) {
  const keys = page.all("[data-stage]").map(({ dataset }) => dataset.stage);
  assert.deepEqual(keys, Object.keys(trace));
  assert.equal(keys.length, 22);
  for (const [key, tensor] of Object.entries(trace)) {
    const shown = cells(page, key).map((cell) => name(cell).split(/: |：/).at(-1).split(/[ （]/)[0]);
    assert.deepEqual(shown, flat(tensor).map(written), key);
    const digits = page.all("[role=gridcell] text", stage(page, key)).map((text) => text.textContent);
    if (digits.length) assert.deepEqual(digits, shown, `the digits of ${key}`);
  }
}

for (const tokens of [[0, 1], [4, 1], [3], [2, 2]]) {
  test(`every cell of every value is there and true: ${tokens}`, async (t) => {
    const page = await mounted(t, "?v=1&tokens=&lang=en", { width: 390 });
    for (const id of tokens) page.click(page.every("button", null, ".mg-palette")[id]);
    await page.answered();
    assert.deepEqual(page.server.asked("view").at(-1).request.tokens, tokens);
    const trace = traceOf(page);
    everyCellIsTrue(page, trace);
    page.click(page.button("中文"));
    everyCellIsTrue(page, trace);
    page.resize(1280);
    everyCellIsTrue(page, trace);
    assert.ok(page.all('[data-stage="residual_0"] text').length, "with room there are digits");
    page.click(page.button("English"));
    everyCellIsTrue(page, trace);
  });
}

test("links are as wide and as strong as their probabilities", async (t) => {
  const page = await mounted(t);
  const probabilities = page.initial.view.trace["blocks.0.attention_probs"];
  const links = page.all(".mg-map-link").map((link) => {
    const band = link.querySelector(".mg-map-band");
    const [width, opacity] = ["width", "opacity"].map((what) => Number(band.getAttribute(`stroke-${what}`)));
    return { ...link.dataset, isShown: link.style.display !== "none", width, opacity };
  });
  assert.equal(links.length, 8);
  const full = Math.max(...links.map(({ width }) => width));
  for (const link of links) {
    const probability = probabilities[link.head][link.to][link.from];
    assert.equal(link.isShown, probability > 0);
    assert.ok(Math.abs(link.opacity - probability) < 1e-6);
    assert.ok(Math.abs(link.width - probability * full) < 1e-3 * full);
  }
});

test("pointing at a cell shows what it is, in both languages", async (t) => {
  const page = await mounted(t);
  for (const lang of ["zh", "en"]) {
    const grid = page.named("group", TITLES[lang]);
    const cell = page.all("[role=gridcell]", grid).find((one) => name(one).startsWith(PLACES[lang]));
    page.point(cell);
    const tooltip = page.one("[role=tooltip]");
    assert.ok(page.isShown(tooltip));
    assert.deepEqual(
      [...tooltip.children].map((line) => line.textContent),
      [TITLES[lang], PLACES[lang], "−1.4326"],
    );
    page.point(page.one(".mg-map-board"));
    assert.ok(!page.isShown(tooltip));
    if (lang === "zh") page.click(page.button("English"));
  }
});

test("pointing at a link shows its probability, and a click opens it", async (t) => {
  const page = await mounted(t);
  const link = page.one('.mg-map-link[data-head="0"][data-from="0"][data-to="1"] .mg-map-core');
  page.point(link, { clientX: 10, clientY: 10 });
  const said = page.text("[role=tooltip]");
  assert.match(said, /头 1，喜欢（位置 1）看 我（位置 0）/);
  assert.match(said, /0\.1575/);
  page.fire(link, "MouseEvent", "click");
  assert.match(page.search(), /stage=blocks\.0\.attention_probs&cell=0\.1\.0$/);
});

test("a click opens the cell and a heading its stage", async (t) => {
  const page = await mounted(t);
  const cell = cells(page, "logits").find((one) => name(one).startsWith("喜欢（位置 1），下一个词是 学习"));
  page.fire(cell, "MouseEvent", "click");
  assert.match(page.search(), /stage=logits&cell=1\.3$/);
  assert.equal(cell.getAttribute("aria-selected"), "true");
  const heading = page.named("button", "更新 ffn_update", ".mg-map");
  page.click(heading);
  assert.equal(page.search(), "?v=1&stage=blocks.0.ffn_update");
  assert.equal(heading.getAttribute("aria-pressed"), "true");
  assert.equal(cell.getAttribute("aria-selected"), "false");
});

test("the address marks stage and cell", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.scores&cell=1.1.0");
  const chosen = page.one(".mg-map .mg-map-chosen");
  assert.match(name(chosen), /头 2，喜欢（位置 1）看 我（位置 0）/);
});

for (const [width, steps, opened] of [
  [1280, [...Array(7).fill("ArrowDown"), "ArrowRight"], "?v=1&stage=position_embeddings&cell=1.2"],
  [390, [...Array(2).fill("ArrowDown"), "ArrowRight"], "?v=1&stage=token_embeddings&cell=1.1"],
]) {
  test(`the keyboard alone walks and opens at ${width} px`, async (t) => {
    const page = await mounted(t, "", { width });
    const places = page.all("[data-stage] [tabindex='0']");
    assert.deepEqual(places.map(page.textOf), ["词嵌入 token_embeddings"]);
    places[0].focus();
    for (const key of steps) page.press(key);
    assert.ok(page.isShown(page.one("[role=tooltip]")));
    page.press("Enter");
    assert.equal(page.search(), opened);
    page.press("Escape");
    assert.ok(!page.isShown(page.one("[role=tooltip]")));
  });
}

test("a click on a word repaints and replaces nothing", async (t) => {
  const page = await mounted(t);
  const before = page.all(".mg-map *");
  page.clickWord("猫"); // 我 喜欢 -> 喜欢 猫: the window is as long as it was
  await page.answered();
  everyCellIsTrue(page, traceOf(page));
  const after = page.all(".mg-map *");
  assert.equal(after.length, before.length);
  assert.ok(after.every((element, place) => element === before[place]));
});

test("a followed word dims what does not feed it, pointed at or pinned", async (t) => {
  const page = await mounted(t);
  const [first, second] = page.all("button.mg-map-word");
  const dim = (key) =>
    page.all(".mg-map-row", stage(page, key)).map((row) => row.classList.contains("mg-map-dim"));
  const [enter, leave] = ["pointerenter", "pointerleave"].map(
    (type) => (word) => page.fire(word, "MouseEvent", type, { bubbles: false }),
  );
  enter(first);
  assert.deepEqual(dim("residual_0"), [false, true]);
  leave(first);
  assert.equal(page.all(".mg-map-dim").length, 0);
  page.click(second);
  assert.equal(second.getAttribute("aria-pressed"), "true");
  assert.deepEqual(dim("residual_0"), [false, false]);
  assert.deepEqual(dim("blocks.0.query"), [true, false, true, false]);
  assert.deepEqual(dim("vocabulary_probs"), [true, false]);
});

test("values that an edit changed carry a mark", async (t) => {
  const page = await mounted(t, "?v=1&edits=lm_head.bias~3~0.5");
  const stages = page
    .all(".mg-map-stage")
    .filter((one) => one.querySelector(".mg-map-changed"))
    .map(({ dataset }) => dataset.stage);
  assert.deepEqual(stages, ["logits", "vocabulary_probs"]);
  const marked = page.all('[data-stage="logits"] .mg-map-changed');
  assert.equal(marked.length, 2);
  for (const cell of marked) {
    assert.equal(cell.querySelectorAll(".mg-map-mark").length, 1);
    assert.match(name(cell), /与原来不同/);
  }
});

test("an empty sentence says what to do", async (t) => {
  const page = await mounted(t, "?v=1&tokens=");
  assert.equal(page.text(".mg-map-empty"), "先点一个词，残差流就从这里开始。");
  assert.ok(page.isShown(page.one(".mg-map-empty")));
  page.clickWord("猫");
  await page.until(() => assert.deepEqual(page.texts("button.mg-map-word"), ["猫"]));
  assert.ok(!page.isShown(page.one(".mg-map-empty")));
});
