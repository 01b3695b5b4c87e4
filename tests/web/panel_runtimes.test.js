/** The panel of engines and files: what it says, and what it hands out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answerTo } from "./answers.js";
import { mounted } from "./mounted.js";

const PANEL = "#mg-panel-runtimes";

async function opened(t, more, given) {
  const page = await mounted(t, `?v=1&panel=runtimes&${more}`, given);
  await page.until(() => assert.ok(page.all(`${PANEL} .mg-runtimes-table tbody tr`).length));
  return page;
}

test("every engine has a row with its verdict", async (t) => {
  const page = await opened(t, "lang=en");
  const { engines } = await answerTo("runtimes", { lang: "en" });
  const rows = page.all(`${PANEL} .mg-runtimes-table tbody tr`);
  assert.deepEqual(rows.map((row) => row.dataset.engine), engines.map(({ name }) => name));
  assert.equal(page.every("table", /^Largest difference of each engine/).length, 1);
  const tract = page.text(`${PANEL} [data-engine="tract"]`);
  assert.match(tract, /agrees/);
  assert.match(tract, /not supported/); // no Loop
  assert.equal(page.every("link", "Open the page that needs no server").length, 0);
});

test("where the page without a server is served, it is linked", async (t) => {
  const page = await opened(t, "lang=en", {
    answers: { runtimes: async (_, recorded) => ({ ...(await recorded()), page: "in-browser" }) },
  });
  const link = page.named("link", "Open the page that needs no server");
  assert.equal(link.getAttribute("href"), "/in-browser/");
});

test("each shipped file is a button, and a second click while it is on its way asks for nothing", async (t) => {
  const page = await opened(t, "lang=zh");
  const { files } = await answerTo("runtimes", { lang: "zh" });
  assert.deepEqual(page.texts(`${PANEL} .mg-files button`), files.map(({ name }) => name));
  const saved = [];
  page.window.URL.createObjectURL = globalThis.URL.createObjectURL = () => "blob:here";
  page.window.HTMLAnchorElement.prototype.click = function click() {
    saved.push([this.download, this.href]);
  };
  page.server.answer("shipped_file", ({ name }) => ({ name, content: "AAAA" }));
  page.server.latency = 300;
  page.doubleClick(page.button("mini_gpt_teaching.onnx", PANEL));
  await page.until(() => assert.equal(saved.length, 1));
  await page.pass(1000);
  assert.deepEqual(page.server.asked("shipped_file").map(({ request }) => request.name), ["mini_gpt_teaching.onnx"]);
  assert.equal(saved[0][0], "mini_gpt_teaching.onnx");
  assert.equal(saved.length, 1);
});
