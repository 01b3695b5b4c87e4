/** The printed sheet says how many digits a pencil has to keep, and prints what is given with as many. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

async function printed(page, name) {
  page.click(page.button(name));
  await page.until(() => assert.ok(page.document.querySelector(".mg-sheet .mg-sheet-stage")));
  const sheet = page.document.querySelector(".mg-sheet");
  const cells = (isBlank) =>
    [...sheet.querySelectorAll("td[class]")]
      .filter((cell) => cell.classList.contains("mg-sheet-blank") === isBlank)
      .map((cell) => cell.textContent);
  return { said: sheet.querySelector(".mg-sheet-head").textContent, given: cells(false), blanks: cells(true) };
}

const decimals = (text) => text.split(".")[1]?.length ?? 0;

test("a sheet says its digits and prints what is given with as many", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits", { allowed: ["print"] });
  await page.until(() => assert.ok(page.document.querySelector('[data-key="logits"] .mg-cell')));
  const { said, given, blanks } = await printed(page, "打印练习页");
  const digits = Number(/保留 (\d+) 位小数/.exec(said)[1]);
  assert.ok(digits > 4, said);
  assert.match(said, /不超过 0\.0001/);
  assert.deepEqual(new Set(blanks), new Set([""]));
  const lengths = new Set(given.filter((text) => text.includes(".")).map(decimals));
  assert.deepEqual(lengths, new Set([4, digits])); // four where four say it all
  // K of 我 is what a score of 喜欢 is worked out with
  assert.ok(given.some((text) => text.startsWith("−0.21564") && decimals(text) === digits), given.join(" "));
});

test("the solution has four digits in the blanks", async (t) => {
  const page = await mounted(t, "?v=1&stage=logits", { allowed: ["print"] });
  await page.until(() => assert.ok(page.document.querySelector('[data-key="logits"] .mg-cell')));
  const { said, blanks } = await printed(page, "打印答案页");
  assert.match(said, /不超过 0\.0001/);
  assert.deepEqual(new Set(blanks.filter((text) => text.includes(".")).map(decimals)), new Set([4]));
  assert.ok(blanks.includes("0.4835"));
});
