/** While results are hidden they stand nowhere on the page: not as text, not in an attribute. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

/** Every text and every attribute of the page, but for the address of a stage on the map. */
function everything(page) {
  const found = [];
  for (const element of page.element.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (!["d", "x", "y", "viewBox", "style"].includes(name)) found.push(`${name}: ${value}`);
    }
    if (!element.children.length) found.push(element.textContent);
  }
  found.push(page.element.textContent);
  return found;
}

/** The numbers of the stop in the trace that came with the page, as the page writes them. */
function textsOf(page, keys) {
  const texts = keys
    .flatMap((key) => page.initial.view.trace[key])
    .flat(3)
    .filter((value) => value !== null && Math.abs(value) >= 0.0001 && Math.abs(value) !== 1)
    .map((value) => Math.abs(value).toFixed(4));
  assert.ok(texts.length > 3);
  return new Set(texts);
}

function standing(page, texts) {
  const all = everything(page).join("\n");
  return [...texts].filter((text) => all.includes(text));
}

const hide = (page) => page.click(page.document.querySelector("#mg-practice"));
const cellOf = (page, key) => page.document.querySelector(`[data-key="${key}"] .mg-cell`);
const drawn = (page, key) => page.until(() => assert.ok(cellOf(page, key)));

for (const [stop, keys] of [
  ["blocks.0.ln1", ["blocks.0.ln1", "blocks.0.query"]],
  ["blocks.0.query", ["blocks.0.query", "blocks.0.key", "blocks.0.value", "blocks.0.scores"]],
  ["blocks.0.attention_probs", ["blocks.0.attention_probs", "blocks.0.head_outputs"]],
  ["blocks.0.ln2", ["blocks.0.ln2", "blocks.0.ffn_hidden"]],
  ["blocks.0.ffn_activation", ["blocks.0.ffn_activation", "blocks.0.ffn_update"]],
  ["final_hidden", ["final_hidden", "logits"]],
  ["logits", ["logits", "vocabulary_probs"]],
]) {
  test(`what is hidden from ${stop} on stands nowhere, nor where help is asked for`, async (t) => {
    const page = await mounted(t, `?v=1&stage=${stop}`);
    await drawn(page, stop);
    // What is also the number of an earlier stop is given, not asked for.
    const before = Object.keys(page.initial.view.trace);
    const given = textsOf(page, before.slice(0, before.indexOf(keys[0])));
    const texts = new Set([...textsOf(page, keys)].filter((text) => !given.has(text)));
    assert.notDeepEqual(standing(page, texts), []); // the twin: without hiding they are there
    hide(page);
    await page.pass(50);
    assert.deepEqual(standing(page, texts), []);
    const cells = page.document.querySelectorAll(`[data-key="${stop}"] .mg-cell`);
    page.click(cells[cells.length - 1]);
    await page.until(() => assert.ok(page.button("给我算式")));
    page.click(page.button("给我算式"));
    await page.until(() => assert.ok(page.document.querySelector(".mg-line-text")));
    await page.pass(200);
    assert.deepEqual(standing(page, texts), []);
    hide(page);
    await page.pass(50);
    assert.notDeepEqual(standing(page, texts), []);
  });
}

test("a stop after a hidden one hides too, and shows with what is before it", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.scores");
  await drawn(page, "blocks.0.scores");
  hide(page);
  page.click(page.document.querySelector(".mg-working-next"));
  await drawn(page, "blocks.0.masked_scores");
  assert.equal(page.document.querySelector("#mg-practice").checked, true);
  assert.equal(cellOf(page, "blocks.0.masked_scores").textContent, "?");
  hide(page);
  await page.until(() => assert.equal(cellOf(page, "blocks.0.masked_scores").textContent, "1.2167"));
  page.click(page.document.querySelector(".mg-working-previous"));
  await drawn(page, "blocks.0.scores");
  assert.equal(page.document.querySelector("#mg-practice").checked, false);
});

test("a number worked out is shown on the map too", async (t) => {
  const page = await mounted(t, "?v=1&stage=blocks.0.head_outputs&cell=0.1.0");
  await drawn(page, "blocks.0.head_outputs");
  hide(page);
  const onMap = () =>
    [...page.document.querySelectorAll('[data-stage="blocks.0.head_outputs"] .mg-map-cell')].map((cell) =>
      cell.getAttribute("aria-label").split(/: |：/).at(-1),
    );
  await page.until(() => assert.deepEqual(new Set(onMap()), new Set(["?"])));
  const answer = page.document.querySelector("#mg-answer");
  answer.value = "0.9944";
  answer.form.requestSubmit();
  await page.until(() => assert.deepEqual(onMap().filter((text) => text !== "?"), ["0.9944"]));
});
