/** Two runs beside each other: where they part, value by value. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const TEXTS = {
  zh: {
    lesson: "课程里的 A 和 B",
    values: "每个值的最大差 max |Δ|",
    first: "最先不同",
    same: "相同",
    finding: "最先不同的是 blocks.0.scores",
    add: "给 B 加 AI",
    unchanged: "同一句，未改动的网络",
  },
  en: {
    lesson: "The lesson's A and B",
    values: "Largest difference of each value, max |Δ|",
    first: "first to differ",
    same: "same",
    finding: "the first to differ is blocks.0.scores",
    add: "Add AI to B",
    unchanged: "Same sentence, unchanged network",
  },
};

const PANEL = "#mg-panel-compare";

async function opened(t, more) {
  const page = await mounted(t, `?v=1&panel=compare&${more}`);
  await page.until(() => page.one(`${PANEL} .mg-values`));
  return page;
}

/** The cells of a value: at the last position, at all of them, how many. */
const row = (page, name) => page.texts(`${PANEL} tr[data-value='${name}'] td`);

/** The figures of a table's last row, without what only a screen reader says. */
const lastRow = (page, table) =>
  page.all("tbody tr:last-child td", table).map((cell) => cell.firstChild.textContent);

const sideB = (page) => page.texts(".mg-mini-chip", page.all(`${PANEL} .mg-side`)[1]);

for (const [lang, texts] of Object.entries(TEXTS)) {
  test(`the lesson's A and B are one click away (${lang})`, async (t) => {
    const page = await opened(t, `tokens=2-3&lang=${lang}`);
    page.click(page.button(texts.lesson));
    await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢"]));
    await page.until(() => assert.ok(page.text(`${PANEL} .mg-finding`).includes(texts.finding)));
    assert.equal(page.every("table", texts.values).length, 1);
    assert.equal(row(page, "residual_0")[0], texts.same);
    assert.equal(row(page, "blocks.0.attention_update")[0], "0.2857");
    assert.ok(row(page, "blocks.0.scores")[0].includes(texts.first));
    assert.ok(row(page, "token_embeddings")[1].includes(texts.first));
    assert.equal(page.all(`${PANEL} .mg-first-mark`).length, 2);
    assert.equal(row(page, "residual_0")[2], "4 / 8");
  });

  test(`B is written in the panel, and A stays (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    page.click(page.button(texts.add));
    await page.until(() => assert.deepEqual(sideB(page), ["猫", "喜欢", "AI"]));
    assert.deepEqual(page.server.asked("compare_runs").at(-1).request.right.tokens, [4, 1, 2]);
    assert.deepEqual(page.server.asked("compare_runs").at(-1).request.left.tokens, [0, 1]);
    assert.deepEqual(page.chips(), ["我", "喜欢"]);
    await page.until(() => assert.ok(decodeURIComponent(page.search()).includes("compare=sentence~4-1-2~")));
    const again = await page.reload();
    await again.until(() => again.one(`${PANEL} tr[data-value='vocabulary_probs']`));
    assert.deepEqual(sideB(again), ["猫", "喜欢", "AI"]);
  });

  test(`a changed network beside the unchanged one (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}&edits=blocks.0.ffn.2.bias~2~1`);
    page.click(page.named("radio", texts.unchanged));
    await page.until(() => page.one(`${PANEL} tr[data-value='blocks.0.ffn_update'] td:nth-child(2) .mg-first-mark`));
    assert.equal(row(page, "blocks.0.ln2")[0], texts.same);
    assert.ok(row(page, "blocks.0.ffn_update")[0].includes(texts.first));
    const { left, right } = page.server.asked("compare_runs").at(-1).request;
    assert.deepEqual([left.edits, right.edits], [{ "blocks.0.ffn.2.bias": { 2: 1 } }, {}]);
  });
}

test("B grows no longer than a sentence may be: its first words give way", async (t) => {
  const limits = { tokens: 3, text: 2000, count: 64 };
  const page = await mounted(t, "?v=1&panel=compare&lang=en", { initial: { limits } });
  await page.until(() => page.one(`${PANEL} .mg-values`));
  for (const expected of [["猫", "喜欢", "AI"], ["喜欢", "AI", "AI"]]) {
    page.click(page.button(TEXTS.en.add));
    await page.until(() => assert.deepEqual(sideB(page), expected));
  }
  await page.answered();
  assert.deepEqual(page.server.asked("compare_runs").at(-1).request.right.tokens, [1, 2, 2]);
});

test("a value is shown for both sides with its differing cells", async (t) => {
  const page = await opened(t, "lang=en");
  const button = () => page.button(/blocks\.0\.attention_update$/, PANEL);
  page.click(button());
  assert.equal(button().getAttribute("aria-pressed"), "true");
  assert.equal(page.document.activeElement, button()); // drawn anew, and the focus is still there
  const tensors = page.all(`${PANEL} .mg-tensor`);
  assert.equal(tensors.length, 2);
  assert.deepEqual(lastRow(page, tensors[0]), ["0.9944", "0.1092", "−1.4326", "−0.0512"]);
  assert.deepEqual(lastRow(page, tensors[1]), ["0.9847", "0.3949", "−1.3141", "0.0686"]);
  assert.equal(page.all(`${PANEL} .mg-differs`).length, 16);
  page.click(page.button(/residual_0$/, PANEL));
  const marked = page.all(`${PANEL} .mg-differs`);
  assert.equal(marked.length, 8); // of position 0 alone
  assert.ok(marked.every((cell) => cell.parentElement.rowIndex === 1));
});

test("the next words of both and their difference", async (t) => {
  const page = await opened(t, "lang=en");
  const [table] = page.every("table", /^Probability of the next word/);
  const rows = page.all("tbody tr", table).map((each) => [...each.cells].map(page.textOf));
  assert.deepEqual(rows.map(([word]) => word), ["我", "喜欢", "AI", "学习", "猫"]);
  assert.deepEqual(rows[3], ["学习", "0.4835", "0.5897", "+0.1062"]);
});

test("hand-set and learned weights beside each other", async (t) => {
  const page = await opened(t, "lang=en");
  page.click(page.named("radio", "Same sentence, other weights"));
  await page.until(() => assert.equal(row(page, "blocks.1.ln1")[0], "one side only"));
  assert.equal(page.server.asked("compare_runs").at(-1).request.right.model, "trained");
});

test("nothing is compared without words", async (t) => {
  const page = await opened(t, "lang=en");
  assert.equal(page.isShown(page.one(`${PANEL} .mg-values`)), true);
  page.openMore();
  page.click(page.button("Clear"));
  await page.until(() => assert.equal(page.isShown(page.one(`${PANEL} .mg-values`)), false));
  assert.ok(page.server.asked("compare_runs").every(({ request }) => request.left.tokens.length));
});
