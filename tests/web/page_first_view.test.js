/** The first visit: the lesson's prompt A is there, with its numbers, and nothing else is asked. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

test("a first visit shows prompt A with its numbers", async (t) => {
  const page = await mounted(t);
  assert.deepEqual(page.chips(), ["我", "喜欢"]);
  assert.deepEqual(page.bars(), PROMPT_A);
  assert.equal(page.search(), "");
  const words = page.every("button", null, ".mg-palette").map((button) => button.firstChild.textContent);
  assert.deepEqual(words, PROMPT_A.map(([word]) => word));
  const table = page.named("table", "下一个词的概率和 logit");
  assert.deepEqual(page.every("columnheader", null, table).map(page.textOf), ["下一个词", "概率", "logit"]);
});

test("the first numbers cost no answer", async (t) => {
  const page = await mounted(t, "", { up: false, early: true });
  assert.deepEqual(page.bars(), PROMPT_A);
  assert.deepEqual(page.server.asked("view"), []);
});

test("an address that asks for something else gets a frame without numbers, never wrong ones", async (t) => {
  const page = await mounted(t, "?tokens=4-1", { early: true });
  assert.deepEqual(page.chips(), ["猫", "喜欢"]);
  assert.deepEqual(page.every("tab").length, page.initial.panels.length);
  assert.ok(page.bars().every(([, share, logit]) => share === "—" && logit === "—"));
  assert.equal(page.all(".mg-map-cell, .mg-winner").length, 0);
  assert.equal(page.isShown(page.one(".mg-map-empty")), false); // it is not empty
  await page.until(() => assert.notEqual(page.bars()[0][1], "—"));
  assert.equal(page.all(".mg-map-awaited").length, 0);

  const other = await mounted(t, "?model=trained&tokens=0-1-2", { early: true });
  assert.deepEqual(other.chips(), []); // its words have not come
  await other.until(() => assert.deepEqual(other.chips(), ["我", "喜欢", "AI"]));
});
