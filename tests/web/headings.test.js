/** Headings say what stands under them; rows of probabilities say why they miss 1. */

import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createBars } from "../../web/bars.js";
import { el } from "../../web/dom.js";
import { createShapes } from "../../web/panels/lessons/shapes.js";
import { createPromptTable } from "../../web/panels/prompts/table.js";
import { createDraw } from "../../web/panels/sampling/draw.js";
import { roundedSum } from "../../web/rounded_sum.js";
import { createStore, DEFAULT_STATE } from "../../web/state.js";
import { answerTo } from "./answers.js";
import { settled, viewOf } from "./page.js";
import { STRINGS } from "./strings.js";

const ENGINES = ["onnxruntime", "torch"];
const WORDS = viewOf([]).model.words;

function translate(lang) {
  return (key, values = {}) => STRINGS[key][lang].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

function everyPrompt(engine) {
  return answerTo("behaviour", { engine, model: "teaching", edits: {}, switches: {} });
}

/** The sum of the texts, as a person adds them: without floats. */
function added(texts) {
  return texts.reduce((total, text) => total + Number(text.replace(".", "")), 0);
}

for (const engine of ENGINES) {
  test(`${engine}: the bars of all 30 prompts say why they do not add up, where they do not`, async () => {
    const { rows } = await everyPrompt(engine);
    assert.equal(rows.length, 30);
    const container = el("div");
    const bars = createBars(container, { t: translate("en") });
    const missing = [];
    for (const { tokens, probabilities } of rows) {
      bars.update({}, { ...viewOf(tokens), probabilities, logits: probabilities });
      const shown = [...container.querySelectorAll(".mg-probability")].map((cell) => cell.textContent);
      const note = container.querySelector(".mg-rounding");
      const sum = added(shown);
      assert.equal(note.hidden, sum === 10000, tokens.join());
      if (sum === 10000) continue;
      missing.push(sum);
      assert.ok(note.textContent.includes((sum / 10000).toFixed(4)), note.textContent);
    }
    assert.equal(missing.length, 13);
    bars.update({}, { ...viewOf([]), probabilities: null, logits: null });
    assert.equal(container.querySelector(".mg-rounding").hidden, true);
  });

  test(`${engine}: the table of all prompts says which sums stand in it`, async () => {
    const { rows } = await everyPrompt(engine);
    const app = { t: translate("en"), store: createStore(), viewer: { view: () => ({ window: [0, 1] }) } };
    const table = createPromptTable(app);
    table.show(rows, WORDS, [...WORDS.keys()], "all of them");
    const caption = table.element.querySelector("caption").textContent;
    const sums = new Set(rows.map(({ probabilities }) => roundedSum(probabilities)));
    sums.delete("1.0000");
    assert.ok(sums.size > 0);
    for (const sum of sums) assert.ok(caption.includes(sum), caption);
  });
}

async function drawn(sampling, lang) {
  const state = { ...DEFAULT_STATE, sampling: { ...DEFAULT_STATE.sampling, ...sampling } };
  const container = el("div");
  const view = viewOf([0, 1], { probabilities: [1] });
  const app = {
    t: translate(lang),
    store: createStore(state),
    viewer: { view: () => view },
    generator: { start() {} },
    server: { sampling_explained: (request) => answerTo("sampling_explained", request) },
  };
  createDraw(container, app).update(state, view);
  for (let tries = 0; !container.querySelector(".mg-steps") && tries < 2000; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await settled();
  }
  const table = container.querySelector(".mg-steps");
  return {
    heads: [...table.querySelectorAll("thead th")].map((head) => head.textContent),
    rows: [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
    bar: [...container.querySelectorAll(".mg-stretch")].map((stretch) => stretch.textContent),
  };
}

for (const sampling of [{ mode: "argmax" }, { mode: "sample", temperature: 0 }]) {
  test(`greedy (${JSON.stringify(sampling)}): no softmax, no division by 0, no cut`, async () => {
    const { heads, rows, bar } = await drawn(sampling, "en");
    assert.deepEqual(heads.slice(0, 3), ["Word", "logit", "argmax: 1 for the largest, 0 for the rest"]);
    assert.equal(heads.length, 3);
    assert.doesNotMatch(heads.join(), /softmax|÷|top_/);
    assert.deepEqual(rows.map((cells) => cells[1]), ["0.0000", "0.0000", "0.0000", "1.0000", "0.0000"]);
    assert.deepEqual(bar, ["学习"]);
  });
}

test("a draw is headed by its own temperature, top_k and top_p", async () => {
  const { heads } = await drawn({ mode: "sample", temperature: 0.5, top_k: 2, top_p: 0.9 }, "en");
  assert.deepEqual(heads.slice(1, 6), ["logit", "(logit − max) ÷ 0.5", "softmax", "top_k = 2", "top_p = 0.9"]);
});

test("the lesson's shapes stand there with its numbers: to the loss, and to one more word", async () => {
  const { batch } = await answerTo("lessons", {});
  for (const lang of ["zh", "en"]) {
    const shapes = createShapes({ t: translate(lang) });
    shapes.update(batch);
    const [loss, generation] = [...shapes.element.querySelectorAll("table")].map((table) =>
      Object.fromEntries([...table.querySelectorAll("tr")].map((row) => [row.dataset.name, row.querySelector("td").textContent])),
    );
    assert.equal(loss.flat_logits, "[4, 5]");
    assert.equal(loss.flat_targets, "[4]");
    assert.equal(loss.loss, "[]");
    assert.deepEqual(generation, { last_logits: "[2, 5]", next_id: "[2, 1]", appended_ids: "[2, 3]" });
    assert.match(shapes.element.textContent, /我 喜欢 学习 · 猫 喜欢 学习/);
  }
});
