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
});

test("the first numbers cost no answer", async (t) => {
  const page = await mounted(t);
  page.server.isUp = false;
  assert.deepEqual(page.bars(), PROMPT_A);
  assert.deepEqual(page.server.asked("view"), []);
});
