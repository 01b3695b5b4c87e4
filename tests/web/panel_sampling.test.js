/** The draw step by step, and the tree of continuations. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const TEXTS = {
  zh: { cold: "温度 0.000001", drawn: "采样到", append: "接上“学习”", tree: "续写的树", argmax: "argmax（温度 0）", opening: "接词时仍取概率最大的词", sample: "按温度 1 采样" },
  en: { cold: "temperature 0.000001", drawn: "sampled", append: "Append 学习", tree: "Tree of continuations", argmax: "argmax (temperature 0)", opening: "appending takes the most probable word", sample: "Sample at temperature 1" },
};

const PANEL = "#mg-panel-sampling";

async function opened(t, more, wanted = ".mg-steps, [role=treeitem]") {
  const page = await mounted(t, `?v=1&panel=sampling&${more}`);
  await page.until(() => {
    for (const selector of wanted.split(", ")) assert.ok(page.all(`${PANEL} ${selector}`).length);
  });
  return page;
}

/** What the steps table says of a word. */
const steps = (page, word) => page.texts(`${PANEL} .mg-steps tr[data-word='${word}'] td`);

/** The tree's items that can be seen. */
const items = (page) => page.all(`${PANEL} [role=treeitem]`).filter(page.isShown);

for (const [lang, texts] of Object.entries(TEXTS)) {
  test(`each step, the draw, and the word it gives (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}&sampling=sample~1~0~0.8~3`);
    const learned = steps(page, "学习");
    assert.deepEqual(learned.slice(0, 4), ["2.1336", "0.0000", "0.4835", "0.4835"]);
    assert.deepEqual(learned.slice(4), ["0.5972", "0.0000 – 0.5972"]);
    assert.equal(page.text(`${PANEL} .mg-chosen th`), `学习 ${texts.drawn}`);
    assert.ok(page.text(`${PANEL} figcaption`).includes("0.085649"));
    assert.equal(page.one(`${PANEL} .mg-needle`).textContent, "u = 0.0856");
    const at = Number(page.one(`${PANEL} .mg-needle`).style.getPropertyValue("--at"));
    assert.ok(Math.abs(at - 0.085649) < 1e-6); // where it points to on the bar
    page.click(page.button(texts.append));
    await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢", "学习"]));
  });

  test(`a temperature of a millionth is no trouble (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    page.click(page.button(texts.cold));
    await page.until(() => assert.deepEqual(steps(page, "学习").slice(2, 5), ["1.0000", "1.0000", "1.0000"]));
    assert.ok(page.one(`${PANEL} .mg-needle`));
    assert.equal(steps(page, "猫")[2], "0.0000");
    assert.match(steps(page, "猫")[1], /× 10⁵$/);
  });

  test(`the tree by keyboard alone (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}&sampling=sample~1~0~1~0`);
    const tree = page.one(`${PANEL} [role=tree]`);
    assert.equal(page.nameOf(tree), texts.tree);
    assert.match(page.text(`${PANEL} section:nth-of-type(2) .mg-finding`), /625/);
    assert.match(page.text(`${PANEL} section:nth-of-type(2) .mg-finding`), /1\.000000/);
    assert.equal(items(page).length, 10); // five, and the five below the most probable
    const focused = () => page.document.activeElement;
    items(page)[0].focus();
    for (let times = 0; times < 6; times += 1) page.press("ArrowRight");
    assert.match(focused().textContent, /\(学习 喜欢 学习 喜欢\)$/);
    assert.equal(focused().getAttribute("aria-level"), "4");
    assert.equal(page.all(`${PANEL} [role=treeitem][tabindex="0"]`).length, 1);
    page.press("Home");
    page.press("ArrowLeft");
    assert.equal(items(page).length, 5);
    assert.equal(focused().getAttribute("aria-expanded"), "false");
    page.press("End");
    assert.equal(focused(), items(page).at(-1));
    page.press("ArrowUp");
    assert.equal(focused(), items(page).at(-2));
    page.press("Enter");
    assert.equal(items(page).length, 10);
  });
}

test("a preset is pressed where all of its settings are the present ones", async (t) => {
  const page = await opened(t, "lang=en&sampling=sample~1~0~0.8~3");
  const pressed = () => page.texts(`${PANEL} .mg-presets [aria-pressed='true']`);
  assert.deepEqual(pressed(), ["top_p = 0.8"]);
  page.click(page.button(TEXTS.en.cold));
  await page.until(() => assert.deepEqual(pressed(), [TEXTS.en.cold]));
});

for (const [lang, texts] of Object.entries(TEXTS)) {
  test(`a first visit shows temperature 1; appending still takes the most probable word (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    const note = page.one(`${PANEL} .mg-sampling-opening`);
    assert.ok(page.isShown(note));
    assert.ok(page.text(`${PANEL} .mg-sampling-opening`).includes(texts.opening));
    assert.ok(page.all(`${PANEL} .mg-area`).length > 5);
    assert.ok(page.one(`${PANEL} .mg-needle`));
    assert.deepEqual(page.texts(`${PANEL} .mg-presets [aria-pressed='true']`), [texts.argmax]);
    const { sampling, seed } = page.server.asked("sampling_explained").at(-1).request;
    assert.deepEqual([sampling.mode, sampling.temperature, sampling.top_k, sampling.top_p, seed], ["sample", 1, 0, 1, 0]);
    page.click(page.button(texts.append)); // the most probable, whatever the draw shown gives
    await page.until(() => assert.deepEqual(page.chips(), ["我", "喜欢", "学习"]));
    assert.equal(page.server.asked("step").at(-1).request.sampling.mode, "argmax");
  });

  test(`one button samples at the temperature shown (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    page.click(page.button(texts.sample));
    await page.until(() => assert.ok(!page.isShown(page.one(`${PANEL} .mg-sampling-opening`))));
    assert.match(page.text(`${PANEL} .mg-presets [aria-pressed='true']`), / 1$/);
    page.click(page.one(`${PANEL} figcaption button`));
    await page.until(() => assert.equal(page.chips().length, 3));
    const { sampling } = page.server.asked("step").at(-1).request;
    assert.deepEqual([sampling.mode, sampling.temperature], ["sample", 1]);
  });
}

test("argmax, once pressed, draws nothing", async (t) => {
  const page = await opened(t, "lang=en");
  page.click(page.button(TEXTS.en.argmax));
  await page.until(() => assert.match(page.text(`${PANEL} figcaption`), /no random number is needed/));
  await page.until(() => assert.match(page.text(`${PANEL} section:nth-of-type(2) .mg-finding`), /words further: 1; their/));
  assert.equal(page.isShown(page.one(`${PANEL} .mg-sampling-opening`)), false);
  assert.match(page.text(`${PANEL} figcaption`), /no random number is needed/);
  assert.equal(page.all(`${PANEL} .mg-needle`).length, 0);
  assert.match(page.text(`${PANEL} section:nth-of-type(2) .mg-finding`), /words further: 1; their probabilities/);
});

test("an area of the picture opens the tree there", async (t) => {
  const page = await opened(t, "lang=en&sampling=sample~1~0~1~0");
  const areas = page.all(`${PANEL} .mg-area`);
  assert.ok(areas.length > 5);
  areas[2].dispatchEvent(new page.window.MouseEvent("click", { bubbles: true }));
  assert.match(page.document.activeElement.textContent, /\(学习 喜欢 学习\)$/);
});

test("an empty sentence has no draw", async (t) => {
  const page = await mounted(t, "?v=1&panel=sampling&lang=en&tokens=");
  await page.pass(1000);
  for (const selector of [".mg-steps", "[role=treeitem]"]) {
    assert.equal(page.all(`${PANEL} ${selector}`).filter(page.isShown).length, 0);
  }
  assert.equal(page.isShown(page.one(`${PANEL} [role=tree]`)), false);
  assert.deepEqual(page.server.asked("sampling_explained"), []);
  assert.deepEqual(page.server.asked("continuations"), []);
  assert.equal(page.alert(), "");
});
