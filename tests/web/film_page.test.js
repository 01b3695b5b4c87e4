/** The film on the page: its numbers at every stop, its bar, its keys, its place in the address. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { timelineOf } from "../../web/film/timeline.js";
import { numberOrMark } from "../../web/format.js";
import { fitting } from "../../web/map/stage_view.js";
import { stagesOf, valueAt } from "../../web/map/stages.js";
import { mounted } from "./mounted.js";

const viewOf = (page) => page.server.asked("view").at(-1)?.answer ?? page.initial.view;
const play = (page) => page.button("播放一次预测");
const place = (page) => page.text(".mg-film-place").split(" / ").map(Number);
const isOpen = (page) => page.isShown(page.one(".mg-film"));

/** `{key: [[index, text]…]}` of the cells that have their numbers. */
function numbersShown(page) {
  const shown = {};
  for (const stage of page.all(".mg-map-stage:not(.mg-film-ahead)")) {
    shown[stage.dataset.stage] = page.all("[role=gridcell]:not(.mg-film-empty) .mg-map-digits", stage).map(({ textContent }) => textContent);
  }
  return shown;
}

function flat(tensor) {
  return Array.isArray(tensor) ? tensor.flatMap(flat) : [tensor];
}

test("at every stop the film's numbers are the trace's, up to there and no further", async (t) => {
  const page = await mounted(t, "?v=1&film=0");
  const { trace, model, window } = page.initial.view;
  const stages = stagesOf(model.config, window.length);
  const scenes = timelineOf(model.config, window.length, trace);
  for (const [stop, scene] of scenes.entries()) {
    assert.deepEqual(place(page), [stop + 1, scenes.length]);
    const expected = stages.slice(0, stop + 1).map(({ key, kind }) => {
      const hasDigits = kind !== "units"; // 16 narrow cells
      return [key, hasDigits ? flat(trace[key]).map((value) => fitting(value)) : []];
    });
    assert.deepEqual(numbersShown(page), Object.fromEntries(expected));
    const value = valueAt(trace[scene.shown.key], scene.shown.cell);
    assert.ok(page.text(".mg-film-number").endsWith(`：${numberOrMark(value)}`), page.text(".mg-film-number"));
    if (stop + 1 < scenes.length) {
      page.click(page.button("下一站"));
      await page.pass(5_000);
    }
  }
});

test("it plays for 25 seconds, pauses, and goes on from there", async (t) => {
  const page = await mounted(t);
  page.click(play(page));
  await page.pass(6_000);
  const [stop] = place(page);
  assert.ok(stop > 3 && stop < 9, `stop ${stop}`);
  page.click(page.button("暂停"));
  await page.pass(20_000);
  assert.deepEqual(place(page)[0], stop);
  page.click(page.named("button", "播放"));
  await page.pass(18_000);
  assert.ok(place(page)[0] < place(page)[1] || page.every("button", "暂停").length);
  await page.pass(2_500);
  assert.equal(place(page)[0], place(page)[1]);
  assert.ok(page.named("button", "播放"));
});

test("twice as fast it is there in half the time", async (t) => {
  const page = await mounted(t);
  page.click(play(page));
  page.click(page.button("2×"));
  await page.pass(13_000);
  assert.equal(place(page)[0], place(page)[1]);
});

test("the arrows step, the place is in the address, and a reload finds it again", async (t) => {
  const page = await mounted(t, "?v=1&film=3");
  assert.deepEqual(place(page)[0], 4);
  page.press("ArrowRight");
  await page.pass(3_000);
  assert.match(page.search(), /film=4/);
  page.press("ArrowLeft");
  page.press("ArrowLeft");
  assert.match(page.search(), /film=2/);
  assert.doesNotMatch(page.search(), /stage=/); // the working area keeps its stage
  const again = await page.reload();
  assert.deepEqual(place(again)[0], 3);
  assert.ok(again.every("button", "暂停").length === 0);
});

test("arrows in a field and on the map are theirs", async (t) => {
  const page = await mounted(t, "?v=1&film=3");
  page.one(".mg-map-board [tabindex='0']").focus();
  page.press("ArrowRight");
  assert.match(page.search(), /film=3/);
  page.openMore();
  page.all("input[type=text], input:not([type])").find((field) => page.isShown(field)).focus();
  page.press("ArrowRight");
  assert.match(page.search(), /film=3/);
});

test("the range leads to any place", async (t) => {
  const page = await mounted(t, "?v=1&film=0");
  const range = page.named("slider", "影片的进度");
  page.fill(range, "1000");
  assert.equal(place(page)[0], place(page)[1]);
  page.fill(range, "0");
  assert.equal(place(page)[0], 1);
  assert.equal(numbersShown(page).token_embeddings.length, 0);
  assert.match(range.getAttribute("aria-valuetext"), /第 1 站，共 23 站/);
});

for (const search of ["?v=1&film=0", "?v=1&film=9", "?v=1&film=999"]) {
  test(`closing gives back the map as it was: ${search}`, async (t) => {
    const plain = await mounted(t, "?v=1");
    const before = plain.one(".mg-map-whole").outerHTML.replaceAll(' class=""', "");
    const page = await mounted(t, search);
    assert.ok(isOpen(page));
    assert.notEqual(page.one(".mg-map-whole").outerHTML, before);
    page.click(page.button("关闭影片"));
    assert.equal(page.one(".mg-map-whole").outerHTML.replaceAll(' class=""', ""), before);
    assert.ok(!isOpen(page));
    assert.equal(page.search(), "");
    assert.equal(page.all("[class*=mg-film-layer], [class*=mg-film-outside]").length, 0);
  });
}

test("the caption is the stage's own sentence, in both languages, and is announced", async (t) => {
  const page = await mounted(t, "?v=1&film=9");
  await page.answered();
  const told = page.server.asked("network_stages").at(-1).answer.texts.stages;
  const caption = page.one(".mg-film-caption");
  assert.equal(caption.getAttribute("aria-live"), "polite");
  assert.equal(page.text(".mg-film-sentence"), told.attention_probs.sentence.zh);
  page.click(page.button("English"));
  await page.answered();
  assert.equal(page.text(".mg-film-sentence"), told.attention_probs.sentence.en);
});

test("where motion is unwanted it stands at each stop, and nothing is animated", async (t) => {
  const page = await mounted(t, "", { still: true });
  page.window.Element.prototype.animate = () => assert.fail("animated");
  page.click(play(page));
  await page.pass(3_000);
  assert.equal(place(page)[0], 1); // it waits for the person
  assert.equal(numbersShown(page).token_embeddings.length, 8);
  page.click(page.button("下一站"));
  assert.equal(place(page)[0], 2);
  assert.equal(numbersShown(page).position_embeddings.length, 8);
  page.clickWord("猫");
  await page.answered();
});

test("another sentence is shown at the same stop, with its own numbers", async (t) => {
  const page = await mounted(t, "?v=1&film=4");
  page.clickWord("猫");
  await page.answered();
  await page.until(() => assert.match(page.search(), /tokens=0-1-4/));
  assert.equal(place(page)[0], 5);
  const { trace } = viewOf(page);
  assert.deepEqual(numbersShown(page).residual_0, flat(trace.residual_0).map((value) => fitting(value)));
});

/** `animate` as a browser has it, noting what moves. */
function watchMotion(page) {
  const moving = [];
  page.window.Element.prototype.animate = function animate(keyframes, timing) {
    const one = { element: this, timing, isOver: false, play() {}, pause() {}, cancel: () => (one.isOver = true) };
    moving.push(one);
    return one;
  };
  return moving;
}

for (const still of [false, true]) {
  test(`an appended word ${still ? "moves nothing where motion is unwanted" : "shows the same in half a second"}`, async (t) => {
    const page = await mounted(t, "", { still });
    const moving = watchMotion(page);
    page.clickWord("猫");
    await page.until(() => assert.match(page.texts("button.mg-map-word").at(-1), /^猫/));
    assert.equal(moving.length, 0); // the final values do not wait for it
    const before = page.one(".mg-map-whole").outerHTML;
    await page.pass(200);
    assert.equal(moving.length > 20, !still);
    assert.ok(moving.every(({ timing }) => timing.delay + timing.duration <= 500));
    assert.equal(page.one(".mg-map-whole").outerHTML, before);
    page.clickWord("我");
    assert.ok(moving.every(({ isOver }) => isOver)); // cut short by the next click
  });
}

test("what travels shows the numbers of its value", async (t) => {
  const page = await mounted(t);
  watchMotion(page);
  page.click(play(page));
  const { trace, model, window } = page.initial.view;
  const scenes = timelineOf(model.config, window.length, trace);
  const known = (keys) => new Set(keys.flatMap((key) => flat(trace[key]).map((value) => fitting(value))));
  for (const scene of scenes.filter(({ name }) => ["ln1", "heads_joined", "logits"].includes(name))) {
    page.fill(page.named("slider", "影片的进度"), String(Math.ceil((1000 * (scene.start + scene.duration / 2)) / 25_000)));
    const read = page.texts(".mg-film-copy text");
    const sources = known(scene.beats.flatMap(({ operands }) => operands.map(({ key }) => key)));
    assert.ok(read.length > 0 && read.every((text) => sources.has(text)), `${scene.key}: ${read}`);
  }
});
