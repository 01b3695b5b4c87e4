/** What the sentence row keeps behind its last button. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const MORE = ".mg-more";
const isOpen = (page) => page.isShown(page.one(MORE));
const button = (page) => page.button("更多");

test("the button opens and closes it, and says which", async (t) => {
  const page = await mounted(t);
  assert.equal(isOpen(page), false);
  assert.equal(button(page).getAttribute("aria-expanded"), "false");
  assert.equal(button(page).getAttribute("aria-controls"), page.one(MORE).id);
  page.click(button(page));
  assert.equal(isOpen(page), true);
  assert.equal(button(page).getAttribute("aria-expanded"), "true");
  for (const name of ["连续生成", "清空"]) assert.equal(page.every("button", name, MORE).length, 1);
  assert.equal(page.every("radio", null, MORE).length, 4); // two engines, two ways to choose
  page.click(button(page));
  assert.equal(isOpen(page), false);
});

test("Escape closes it and the focus is on its button", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.field("生成多少个词").focus();
  page.press("Escape");
  assert.equal(isOpen(page), false);
  assert.equal(page.document.activeElement, button(page));
});

test("a click elsewhere closes it, one inside does not", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.click(page.named("radio", "采样 sampling"));
  assert.equal(isOpen(page), true);
  page.fire(page.one(".mg-map"), "MouseEvent", "pointerdown");
  assert.equal(isOpen(page), false);
});

test("a link that samples opens it, so that the settings are seen; one of a panel does not", async (t) => {
  const sampling = "sampling=sample~0.8~3~0.9~42";
  const page = await mounted(t, `?v=1&${sampling}`);
  assert.equal(isOpen(page), true);
  assert.equal(page.field("温度").value, "0.8");
  const other = await mounted(t, `?v=1&${sampling}&panel=cost`);
  assert.equal(isOpen(other), false);
  await other.pass(1000);
});

test("closing a message leaves it open, with what was typed", async (t) => {
  const page = await mounted(t);
  page.openMore();
  page.fill(page.field("生成多少个词"), "abc");
  page.click(page.button("连续生成"));
  const close = page.one(".mg-alert-close");
  page.fire(close, "MouseEvent", "pointerdown");
  page.click(close);
  assert.equal(page.alert(), "");
  assert.equal(isOpen(page), true);
  assert.equal(page.field("生成多少个词").value, "abc");
});
