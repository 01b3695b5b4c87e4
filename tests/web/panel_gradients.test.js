/** One training step taken apart: its numbers, and the working of each. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const PANEL = "#mg-panel-gradients";

async function opened(t, given) {
  const page = await mounted(t, "?v=1&panel=gradients&lang=en", given);
  await page.until(() => assert.ok(page.all(`${PANEL} .mg-gradient-table`).filter(page.isShown).length));
  return page;
}

const lines = (page) => page.texts(`${PANEL} .mg-gradient-lines li`).join("\n");

test("the lesson's batch, and the working of what is chosen", async (t) => {
  const page = await opened(t);
  page.click(page.button(/working of the loss$/, PANEL));
  await page.until(() =>
    assert.ok(lines(page).includes("(0.5902 + 4.3864 + 0.4936 + 0.5281) ÷ 4 ≈ 1.4996"), lines(page)),
  );
  page.click(page.button(/working of the gradient of AI at 我 喜欢$/, PANEL));
  await page.until(() => assert.ok(lines(page).includes("(0.0124 − 1) ÷ 4 = −0.2469"), lines(page)));
  page.fill(page.field("Parameter", PANEL), "lm_head.bias");
  await page.until(() => page.named("table", "lm_head.bias: gradients", PANEL));
  page.click(page.every("button", null, page.named("table", "lm_head.bias: gradients", PANEL))[2]);
  await page.until(() => assert.ok(lines(page).includes("0.09636 + (−0.24689)"), lines(page)));
  assert.deepEqual(page.server.asked("gradient_card").at(-1).request.cell, [2]);
});

test("both sentences, as the loss takes them: the lesson's own shapes", async (t) => {
  const page = await opened(t);
  const said = page.text(`${PANEL} .mg-gradient-shapes`);
  assert.equal(said, "Cross entropy puts all B·T = 2·2 = 4 positions in one list: logits [4, 5], targets [4].");
});

test("while PyTorch is loaded it is said, and asked again", async (t) => {
  let times = 0;
  const loading = { error: { code: "torch_loading", text: "loading" } };
  const gradients = (_, recorded) => (times++ < 2 ? loading : recorded());
  const page = await mounted(t, "?v=1&panel=gradients&lang=en", { answers: { gradients } });
  await page.pass(100);
  assert.equal(page.all(`${PANEL} .mg-gradient-table`).filter(page.isShown).length, 0);
  assert.notEqual(page.text(`${PANEL} [role=status]`), "");
  assert.equal(page.alert(), "");
  await page.until(() => assert.ok(page.all(`${PANEL} .mg-gradient-table`).filter(page.isShown).length));
  assert.equal(page.text(`${PANEL} [role=status]`), "");
});
