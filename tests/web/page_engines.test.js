/** PyTorch and ONNX Runtime on the whole page, switched at any moment, and how far they differ. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted, STRINGS } from "./mounted.js";
import { PROMPT_A } from "./reading.js";

const DIFFERENCE = /^两个引擎最大相差 \d\.\d × 10⁻[⁶⁷⁸]$/;

test("the largest difference is shown for the present sentence, and where it is", async (t) => {
  const page = await mounted(t);
  await page.until(() => assert.match(page.text(".mg-difference"), DIFFERENCE));
  const { largest } = page.server.asked("differences").at(-1).answer;
  const title = page.one(".mg-difference").title;
  assert.equal(title, STRINGS["shell.difference_where"].zh.replace("{name}", largest.name));
});

test("the engine can be switched and gives the same four decimals", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.click(page.named("radio", "PyTorch"));
  assert.equal(page.search(), "?v=1&engine=torch");
  page.clickWord("猫");
  page.click(page.button("撤销"));
  await page.until(() => assert.equal(page.server.asked("view").at(-1)?.done, true));
  assert.equal(page.server.asked("view").at(-1).request.engine, "torch");
  assert.deepEqual(page.bars(), PROMPT_A);
  page.openMore();
  assert.equal(page.named("radio", "PyTorch").checked, true);
  page.click(page.named("radio", "ONNX Runtime"));
  await page.pass(1000);
  assert.deepEqual(page.bars(), PROMPT_A);
});

test("the engine can be switched during generation", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.fill(page.field("生成多少个词"), "8");
  page.click(page.button("连续生成"));
  await page.until(() => assert.ok(page.chips().length >= 4));
  page.click(page.named("radio", "PyTorch"));
  await page.until(() => assert.ok(page.chips().length >= 7));
  page.click(page.named("radio", "ONNX Runtime"));
  await page.until(() => assert.equal(page.chips().length, 10));
  assert.deepEqual(page.chips().slice(0, 3), ["我", "喜欢", "学习"]);
  const engines = page.server.asked("step").map(({ request }) => request.engine);
  assert.deepEqual([...new Set(engines)].sort(), ["onnxruntime", "torch"]);
});

test("a model of one's own, where there is none: the tab that makes one opens and has the focus", async (t) => {
  const page = await mounted(t);
  assert.equal(page.isShown(page.named("radio", "手工权重")), true);
  page.click(page.button("自己训练一个"));
  await page.until(() => assert.ok(page.isShown(page.one("#mg-panel-training"))));
  assert.equal(page.document.activeElement, page.named("tab", "训练"));
  assert.equal(page.named("radio", "手工权重").checked, true);
  await page.answered();
});

test("without PyTorch the page says so and goes on", async (t) => {
  const missing = { code: "torch_missing", text: STRINGS["error.torch_missing"].zh };
  const refused = (request, recorded) =>
    request.engine === "torch" ? { error: missing } : recorded();
  const page = await mounted(t, "?engine=torch&tokens=4-1", {
    early: true,
    answers: {
      view: refused,
      step: refused,
      differences: { state: "missing", values: [], largest: null },
    },
  });
  await page.until(() =>
    assert.equal(page.alert(), "这里无法加载 PyTorch，ONNX Runtime 照常可用。"),
  );
  await page.until(() => assert.deepEqual(page.bars()[3], ["学习", "0.5897", "2.6821"]));
  page.openMore();
  assert.equal(page.named("radio", "ONNX Runtime").checked, true);
  await page.until(() =>
    assert.equal(page.text(".mg-difference"), "这里没有 PyTorch，ONNX Runtime 照常可用。"),
  );
  assert.equal(page.named("radio", "PyTorch").disabled, true);
  page.click(page.button("让模型接一个词"));
  await page.until(() => assert.equal(page.chips().length, 3));
});
