/** While results are hidden, no panel says them: not one that is open, nor one that was. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answerTo } from "./answers.js";
import { mounted } from "./mounted.js";

const PANELS = ["lessons", "compare", "weights", "sampling", "training", "gradients", "prompts", "runtimes", "cost"];
const COVERED = ["compare", "sampling", "gradients", "prompts"]; // as a whole
const COVER = "结果还隐藏着，所以这里的数也不显示。";
const STOPS = { "blocks.0.attention_probs": "blocks.0.attention_probs", logits: "logits" };
const STRIP = ".mg-lesson:not(.mg-tour)";
const LOADING = 1500; // ms in which every panel has asked for what it shows

const hide = (page) => {
  const practice = page.one("#mg-practice");
  page.bringForward(practice);
  page.click(practice);
};
const open = (page, panel) => page.click(page.one(`#mg-tab-${panel}`));
const body = (page, panel) => page.one(`#mg-panel-${panel}`);

/** Every text and every attribute below `element`, but for shapes drawn and mixed colours. */
function everything(element) {
  return [...element.querySelectorAll("*")].flatMap((each) => [
    ...[...each.attributes].filter(({ name }) => !["d", "points", "viewBox", "x", "y"].includes(name)).map(({ value }) => value.replace(/color-mix[^;]*/g, "")),
    ...[...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ]);
}

/**
 * The numbers hidden from `stop` on that stand below `element`, rounded to three places or more,
 * also as per cent; what is also a weight or a number of an earlier stop is given.
 */
async function standing(page, stop, element = page.element) {
  const { trace } = page.initial.view;
  const keys = Object.keys(trace);
  const at = keys.indexOf(stop);
  const { tables } = await answerTo("weights", { model: "teaching", edits: {} });
  const given = [...keys.slice(0, at).map((key) => trace[key]), ...tables.map(({ originals }) => originals)];
  const known = new Set(numbersOf(given).map((value) => value.toFixed(4)));
  const hidden = numbersOf(keys.slice(at).map((key) => trace[key])).filter((value) => {
    const isShort = Math.abs(value * 100 - Math.round(value * 100)) < 1e-6; // 0.25 may be anything
    return !isShort && value >= 1e-4 && !known.has(value.toFixed(4));
  });
  assert.ok(hidden.length > 5);
  const texts = hidden.flatMap((value) => [
    ...[3, 4, 5, 6].map((places) => value.toFixed(places)),
    `${(value * 100).toFixed(2)}%`,
  ]);
  const wanted = new Set(texts);
  const said = everything(element).flatMap((text) => text.replace(/[\d.]+ ms/g, "").match(/\d+\.\d+%?/g) ?? []);
  return [...new Set(said.filter((text) => wanted.has(text)))];
}

const numbersOf = (part) => (Array.isArray(part) ? part.flatMap(numbersOf) : [Math.abs(part ?? 0)]);

test("the panels are these", async (t) => {
  const page = await mounted(t, "?v=1");
  assert.deepEqual(page.initial.panels.map(({ id }) => id).sort(), [...PANELS].sort());
});

for (const stop of Object.keys(STOPS)) {
  for (const panel of PANELS) {
    test(`${panel}: nothing from ${stop} on stands there or anywhere`, async (t) => {
      const page = await mounted(t, `?v=1&stage=${stop}&panel=${panel}`);
      await page.pass(LOADING);
      const before = body(page, panel).textContent;
      const told = await standing(page, stop, body(page, panel));
      if (COVERED.includes(panel) || panel === "weights") assert.notDeepEqual(told, []); // the twin
      hide(page);
      await page.pass(LOADING);
      assert.deepEqual(await standing(page, stop), []);
      assert.equal(body(page, panel).textContent.startsWith(COVER), COVERED.includes(panel));
      hide(page);
      await page.pass(LOADING);
      assert.equal(body(page, panel).textContent, before);
    });
  }
}

test("panels that were open before, and those that are opened now", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits&panel=weights");
  await page.pass(LOADING);
  for (const panel of ["sampling", "prompts"]) {
    open(page, panel);
    await page.pass(LOADING);
  }
  hide(page);
  await page.pass(LOADING);
  assert.deepEqual(await standing(page, "logits"), []);
  for (const panel of PANELS) {
    open(page, panel);
    await page.pass(LOADING);
    assert.deepEqual(await standing(page, "logits"), [], panel);
  }
  open(page, "gradients");
  page.click(page.button("显示结果"));
  await page.pass(LOADING);
  assert.equal(page.one("#mg-practice").checked, false);
  assert.notDeepEqual(await standing(page, "logits", body(page, "gradients")), []);
  assert.notDeepEqual(await standing(page, "logits", page.one(".mg-bars")), []);
});

test("without a sentence other sentences' numbers stay hidden too", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits&panel=prompts");
  await page.pass(LOADING);
  hide(page);
  for (let left = page.chips().length; left > 0; left -= 1) page.click(page.button("撤销"));
  await page.until(() => assert.deepEqual(page.chips(), []));
  await page.pass(LOADING);
  assert.ok(body(page, "prompts").textContent.includes(COVER));
  assert.deepEqual(await standing(page, "logits"), []);
});

test("a switch's effects come back with the results", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits&panel=weights");
  await page.pass(LOADING);
  const deltas = () => page.all(".mg-switches .mg-delta").length;
  const all = deltas();
  assert.ok(all > 30);
  hide(page);
  await page.pass(LOADING);
  assert.equal(deltas(), 0);
  assert.ok(page.all(".mg-weight-input").length); // weights are given
  hide(page);
  await page.pass(LOADING);
  assert.equal(deltas(), all);
});

test("a lesson that prints the numbers of a stop prints none while they are hidden", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.ffn_activation&panel=lessons");
  await page.pass(LOADING);
  page.bringForward(body(page, "lessons"));
  page.click(page.one(".mg-lesson-card:last-child button"));
  page.click(page.button("下一步", STRIP));
  await page.pass(LOADING);
  const stop = new URLSearchParams(page.search()).get("stage");
  assert.equal(stop, "blocks.0.ffn_activation");
  assert.match(page.text(STRIP), /1\.1153/);
  hide(page);
  await page.pass(LOADING);
  assert.doesNotMatch(page.text(STRIP), /1\.1153|0\.1597|−0\.0951/);
  assert.ok(page.text(STRIP).includes(COVER));
  page.click(page.button("显示结果", STRIP));
  await page.pass(LOADING);
  assert.match(page.text(STRIP), /1\.1153/);
});

test("what a training has learned is looked at when nothing is hidden", async (t) => {
  const point = [0, 1.6, 0.01, 1.5, [[0.0513, 0.1, 0.3333, 0.4835, 0.0319]]];
  const standingNow = {
    id: "ab".repeat(16), status: "running", place: 0, step: 0, steps: 20, points: [point], kept: [0],
    floor: 0.3466, uniform: 1.6094, watched: [[0, 1]], trouble: null,
    words: ["我", "喜欢", "AI", "学习", "猫"],
  };
  const page = await mounted(t, "?v=1&stage=logits&panel=training", {
    answers: {
      training_start: () => ({ ...standingNow, key: "cd".repeat(16) }),
      training_progress: () => standingNow,
      view: (request, recorded) => (request.model?.startsWith("own:") ? undefined : recorded()),
    },
  });
  await page.until(() => assert.notEqual(page.one(".mg-corpus").value, ""));
  page.bringForward(body(page, "training"));
  page.click(page.button("训练", "#mg-panel-training"));
  await page.until(() => assert.match(page.text(".mg-watched"), /0\.4835/));
  hide(page);
  await page.pass(LOADING);
  assert.deepEqual(await standing(page, "logits"), []);
  assert.ok(page.text(".mg-look").includes(COVER));
  page.bringForward(body(page, "training"));
  assert.equal(page.isShown(page.one(".mg-curve")), true); // the loss is nobody's result
  hide(page);
  await page.pass(LOADING);
  assert.match(page.text(".mg-watched"), /0\.4835/);
});
