/** The model appends, on the whole page: one word, several one by one, stopped, sampled. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answerTo } from "./answers.js";
import { mounted } from "./mounted.js";

const [APPEND, GENERATE, STOP] = ["让模型接一个词", "连续生成", "停止"];
const COUNT = "生成多少个词";
const LABELS = { temperature: "温度", top_k: "top_k", top_p: "top_p", seed: "种子" };

function generate(page, count) {
  page.openMore();
  page.fill(page.field(COUNT), String(count));
  page.click(page.button(GENERATE));
}

function sample(page, fields) {
  page.openMore();
  page.click(page.named("radio", "采样 sampling"));
  for (const [name, text] of Object.entries(fields)) page.fill(page.field(LABELS[name]), text);
}

const hasWords = (page, count) => page.until(() => assert.ok(page.chips().length >= count));

async function stays(page) {
  const then = page.chips();
  await page.pass(1000);
  assert.deepEqual(page.chips(), then);
  return then;
}

test("append takes the most probable word, at one round trip a word", async (t) => {
  const page = await mounted(t);
  await page.pass(500); // what follows the first view has been asked
  const before = page.server.calls.length;
  page.click(page.button(APPEND));
  await page.until(() => assert.deepEqual(page.bars()[1].slice(0, 2), ["喜欢", "0.7535"]));
  assert.deepEqual(page.chips(), ["我", "喜欢", "学习"]);
  await page.pass(500);
  const names = page.server.calls.slice(before).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name !== "differences"), ["step"]);
  page.click(page.button(APPEND));
  await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢", "学习", "喜欢"]));
});

test("generated words come one by one", async (t) => {
  const page = await mounted(t);
  const seen = [];
  new page.window.MutationObserver(() => seen.push(page.chips().length)).observe(
    page.one(".mg-chips"),
    { childList: true },
  );
  const began = page.now();
  generate(page, 5);
  assert.equal(page.button(GENERATE).disabled, true);
  await hasWords(page, 7);
  assert.ok(page.now() - began >= 4 * 150, "an eye can follow them");
  await stays(page);
  assert.deepEqual(seen, [3, 4, 5, 6, 7]);
});

test("stop keeps what came and ends the rest", async (t) => {
  const page = await mounted(t);
  generate(page, 64);
  await hasWords(page, 4);
  page.click(page.button(STOP));
  assert.equal((await stays(page)).length, 4);
  assert.deepEqual(page.every("button", STOP), [], "there is nothing left to stop");
  page.openMore();
  assert.equal(page.button(GENERATE).disabled, false);
});

for (const [what, act, expected] of [
  ["a clicked word", (page) => page.clickWord("猫"), ["我", "喜欢", "学习", "喜欢", "猫"]],
  ["undo", (page) => page.click(page.button("撤销")), ["我", "喜欢", "学习"]],
  ["clearing", (page) => page.click(page.button("清空")), []],
]) {
  test(`${what} during generation ends it cleanly`, async (t) => {
    const page = await mounted(t);
    generate(page, 64);
    await hasWords(page, 4);
    act(page);
    assert.deepEqual(await stays(page), expected);
  });
}

test("double clicks: two words of append, one run of generate", async (t) => {
  const page = await mounted(t);
  page.doubleClick(page.button(APPEND));
  await hasWords(page, 4);
  await stays(page);
  page.openMore();
  page.fill(page.field(COUNT), "3");
  page.doubleClick(page.button(GENERATE));
  await hasWords(page, 7);
  assert.equal((await stays(page)).length, 7);
});

test("sampled words are those of one call of the API", async (t) => {
  const page = await mounted(t);
  sample(page, { temperature: "1.5", top_k: "4", top_p: "0.95", seed: "7" });
  page.click(page.button(APPEND));
  await hasWords(page, 3);
  generate(page, 7);
  await hasWords(page, 10);
  const whole = await answerTo("generate", {
    tokens: "我喜欢", engine: "onnxruntime", count: 8, temperature: 1.5, top_k: 4, top_p: 0.95, seed: 7,
  });
  assert.deepEqual(await stays(page), whole.tokens);
});

test("the same seed gives the same words after undo", async (t) => {
  const page = await mounted(t);
  sample(page, { temperature: "2", seed: "5" });
  const appendThree = async () => {
    for (let word = 0; word < 3; word += 1) page.click(page.button(APPEND));
    await hasWords(page, 5);
    return stays(page);
  };
  const first = await appendThree();
  assert.equal(first.length, 5);
  assert.match(page.text(".mg-draw-note"), /第 4 次采样/);
  for (let word = 0; word < 3; word += 1) page.click(page.button("撤销"));
  await page.until(() => assert.match(page.text(".mg-draw-note"), /第 1 次采样/));
  assert.deepEqual(await appendThree(), first);
});

test("a wrong setting is explained and everything stays", async (t) => {
  const page = await mounted(t);
  sample(page, {});
  for (const [field, text, part] of [
    ["temperature", "NaN", "温度（temperature）必须是大于等于 0 的有限数"],
    ["temperature", "-1", "温度（temperature）必须"],
    ["temperature", "热", "现在是 '热'"],
    ["top_k", "1.5", "top_k 必须是大于等于 0 的整数"],
    ["top_p", "0", "top_p 必须大于 0 且不超过 1"],
    ["seed", "-3", "种子（seed）必须是 0 到 2^63 - 1 之间的整数"],
    ["seed", "9223372036854775808", "9223372036854775808"],
  ]) {
    const words = page.chips();
    page.openMore();
    const input = page.field(LABELS[field]);
    page.fill(input, text);
    page.click(page.button(APPEND));
    await page.until(() => assert.ok(page.alert().includes(part), page.alert()));
    assert.deepEqual(page.chips(), words);
    assert.equal(input.value, text);
    const invalid = page.all("[aria-invalid=true]");
    assert.deepEqual(invalid, [input]);
    page.openMore();
    page.fill(input, "1");
    assert.equal(page.alert(), "");
    assert.equal(input.hasAttribute("aria-invalid"), false);
  }
  page.click(page.button(APPEND));
  await hasWords(page, 3);
});

test("a wrong number of words is explained", async (t) => {
  const page = await mounted(t);
  for (const text of ["0", "65", "-1", "2.5", "六", ""]) {
    page.openMore();
    const count = page.field(COUNT);
    page.fill(count, text);
    page.click(page.button(GENERATE));
    assert.match(page.alert(), /词数必须是 1 到 64 之间的整数/);
    assert.equal(count.value, text);
    assert.equal(count.getAttribute("aria-invalid"), "true");
    page.clickWord("猫"); // takes the message away
    page.click(page.button("撤销"));
    assert.equal(page.alert(), "");
  }
  assert.deepEqual(page.chips(), ["我", "喜欢"]);
  assert.deepEqual(page.server.asked("step"), []);
});

test("an empty sentence cannot go on", async (t) => {
  const page = await mounted(t, "?tokens=");
  page.click(page.button(APPEND));
  assert.match(page.alert(), /句子是空的：请点一个词/);
  page.clickWord("我");
  assert.equal(page.alert(), "");
});

test("a sentence can be filled to its 256th word", async (t) => {
  const page = await mounted(t, `?tokens=${Array(255).fill(4).join("-")}`);
  page.click(page.button(APPEND));
  await hasWords(page, 256);
  assert.equal(page.alert(), "");
  page.click(page.button(APPEND));
  assert.match(page.alert(), /^句子会有 257 个词，最多保留 256 个。/);
  assert.equal((await stays(page)).length, 256);
});

test("no generation goes past 256 words", async (t) => {
  const page = await mounted(t, `?tokens=${Array(253).fill(4).join("-")}`);
  page.openMore();
  page.click(page.button(GENERATE));
  assert.match(page.alert(), /^句子会有 259 个词，最多保留 256 个。/);
  assert.equal((await stays(page)).length, 253);
});
