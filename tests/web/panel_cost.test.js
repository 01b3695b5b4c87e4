/** What a token costs: counted, and measured where a measurement is stored. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answerTo } from "./answers.js";
import { mounted } from "./mounted.js";

const PANEL = "#mg-panel-cost";
const NAMES = { zh: "下一个词要做的乘法", en: "Multiplications for the next word" };

async function opened(t, more, given) {
  const page = await mounted(t, `?v=1&panel=cost&${more}`, given);
  await page.until(() => {
    assert.equal(page.texts(`${PANEL} tfoot td`).length, 2);
    assert.ok(page.all(`${PANEL} .mg-cost-measured p`).length); // said to be there, or not
  });
  return page;
}

for (const [lang, name] of Object.entries(NAMES)) {
  test(`the count of one word and of two (${lang})`, async (t) => {
    const page = await opened(t, `lang=${lang}`);
    const [table] = page.every("table", name);
    assert.deepEqual(page.texts("tfoot td", table), ["456", "228"]);
    const scores = page.all("tbody tr", table).find((row) => row.textContent.includes("L·H·N·T·D"));
    assert.deepEqual(page.texts("td", scores), ["1·2·2·2·216", "1·2·1·2·28"]); // product and result
    page.fill(page.named("slider", null, PANEL), "1");
    await page.until(() => assert.deepEqual(page.texts(`${PANEL} tfoot td`), ["220", "220"]));
    assert.equal(page.text(`${PANEL} output`), "1");
    assert.equal(page.server.asked("token_cost").at(-1).request.length, 1);
  });
}

test("what is stored of the measurement is shown, engine by engine", async (t) => {
  const page = await opened(t, "lang=en");
  assert.equal(page.server.asked("measured_cost").length, 1);
  const { measured } = await answerTo("measured_cost", { lang: "en" });
  assert.ok(measured, "no measurement is stored: bench/results/decode.json");
  const ours = measured.engines.find(({ name }) => name === "mini-gpt");
  const shown = page.texts(`${PANEL} .mg-cost-ours td`).map((text) => Number(text.replaceAll(",", "")));
  assert.equal(shown.length, measured.positions.length);
  shown.forEach((value, at) => {
    assert.ok(Math.abs(value / ours.milliseconds[at] - 1) < 0.01, `${value} ${ours.milliseconds[at]}`);
  });
  const chart = page.one(`${PANEL} .mg-cost-chart > figure > svg`);
  assert.match(chart.getAttribute("aria-label"), /^Milliseconds for one word/);
  const drawn = measured.engines.filter((engine) => engine.drawn);
  assert.equal(page.all("polyline", chart).length, drawn.length);
  page.click(page.named("radio", "The size of GPT-2 small"));
  await page.until(() => assert.match(page.text(PANEL), /T = 1024 words/));
});

test("a slower engine's line is higher, a later position further right", async (t) => {
  const page = await opened(t, "lang=en");
  const { measured } = await answerTo("measured_cost", { lang: "en" });
  for (const engine of measured.engines.filter((each) => each.drawn)) {
    const circles = page.all(`${PANEL} .mg-cost-chart > figure > svg .mg-chart-${engine.name} circle`);
    const values = engine.milliseconds.filter((value) => value !== null);
    assert.equal(circles.length, values.length);
    circles.slice(1).forEach((circle, at) => {
      const [x0, y0] = ["cx", "cy"].map((name) => Number(circles[at].getAttribute(name)));
      const [x1, y1] = ["cx", "cy"].map((name) => Number(circle.getAttribute(name)));
      assert.ok(x1 > x0);
      assert.equal(Math.sign(y0 - y1), Math.sign(values[at + 1] - values[at]), engine.name);
    });
  }
});

test("without a stored measurement its absence is said, and there is one network to count", async (t) => {
  const page = await opened(t, "lang=en", { answers: { measured_cost: { measured: null } } });
  assert.match(page.text(`${PANEL} .mg-cost-measured`), /No measurement is stored here/);
  assert.equal(page.every("radio", null, PANEL).length, 0);
});
