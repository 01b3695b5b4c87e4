/** The tabs around the sentence: by mouse, by keyboard, by address. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted, STRINGS } from "./mounted.js";

const selected = (page) => page.all("[role=tab][aria-selected=true]").map(page.textOf);

test("one tab is open and the arrow keys lead around", async (t) => {
  const page = await mounted(t);
  const tabs = page.texts("[role=tab]");
  assert.ok(tabs.length >= 5);
  assert.deepEqual(selected(page), [], "nothing is open at first");
  assert.equal(page.all(".mg-panel").filter(page.isShown).length, 0);
  page.click(page.every("tab")[0]);
  assert.deepEqual(selected(page), [tabs[0]]);
  for (const [key, expected] of [
    ["ArrowRight", tabs[1]],
    ["ArrowLeft", tabs[0]],
    ["ArrowLeft", tabs.at(-1)],
    ["Home", tabs[0]],
    ["End", tabs.at(-1)],
    ["ArrowRight", tabs[0]],
  ]) {
    page.press(key);
    assert.deepEqual(selected(page), [expected]);
    assert.equal(page.document.activeElement.textContent, expected);
    assert.equal(page.document.activeElement.tabIndex, 0);
    assert.equal(page.all("[role=tab][tabindex='0']").length, 1);
    assert.equal(page.all(".mg-panel").filter(page.isShown).length, 1);
  }
});

test("a click on the open tab closes its panel", async (t) => {
  const page = await mounted(t, "?panel=cost");
  page.click(page.one("#mg-tab-cost"));
  assert.deepEqual(selected(page), []);
  assert.equal(page.isShown(page.one("#mg-panel-cost")), false);
  assert.equal(page.isShown(page.one(".mg-aside")), false);
  await page.until(() => assert.doesNotMatch(page.search(), /panel/));
  page.click(page.one("#mg-tab-cost"));
  assert.ok(page.isShown(page.one("#mg-panel-cost")));
  await page.pass(1000);
});

test("a panel is named by its tab, and the open tab is part of the address", async (t) => {
  const page = await mounted(t, "?panel=sampling&tokens=4-1");
  assert.ok(page.isShown(page.one("#mg-panel-sampling")));
  assert.deepEqual(page.chips(), ["猫", "喜欢"]);
  for (const tab of page.every("tab")) {
    page.click(tab);
    assert.deepEqual(page.every("tabpanel").map(page.nameOf), [page.textOf(tab)]);
    const panel = page.one(`#${tab.getAttribute("aria-controls")}`);
    assert.ok(page.isShown(panel));
    assert.equal(new URLSearchParams(page.search()).get("panel"), panel.id.replace("mg-panel-", ""));
    await page.pass(1000);
  }
});

test("a panel that could not be read comes when the server is back, or when it is opened again", async (t) => {
  for (const isClosedMeanwhile of [false, true]) {
    const page = await mounted(t, "", {
      initial: { has_panel_texts: false },
      answers: { panel_texts: () => undefined },
    });
    const panel = page.one("#mg-panel-cost");
    page.click(page.one("#mg-tab-cost"));
    await page.until(() => assert.equal(page.textOf(panel), "页面没有加载完整，请刷新。"));
    if (isClosedMeanwhile) page.click(page.one("#mg-tab-cost"));
    await page.pass(3000);
    page.server.answer("panel_texts", { strings: { "cost.title": STRINGS["cost.title"] } });
    if (isClosedMeanwhile) page.click(page.one("#mg-tab-cost"));
    await page.until(() => assert.match(page.textOf(panel), /乘法/));
    assert.doesNotMatch(page.textOf(panel), /请刷新/);
    await page.pass(1000);
  }
});
