import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { el, replace, svg } from "../../web/dom.js";

test("data becomes text, never markup", () => {
  const cell = el("td", { title: '"><img src=x>' }, "<img src=x onerror=alert(1)>", "${1}");
  assert.equal(cell.children.length, 0);
  assert.equal(cell.textContent, "<img src=x onerror=alert(1)>${1}");
  assert.equal(cell.getAttribute("title"), '"><img src=x>');
});

test("attributes: true is empty, false and nothing are left out", () => {
  const input = el("input", { hidden: true, disabled: false, name: null, value: undefined, min: 0 });
  assert.deepEqual(input.getAttributeNames(), ["hidden", "min"]);
  assert.equal(input.getAttribute("hidden"), "");
});

test("listeners, styles and data", () => {
  let clicks = 0;
  const button = el("button", {
    onclick: () => (clicks += 1),
    style: { "--share": 0.5, color: "red" },
    dataset: { word: "猫" },
  });
  button.click();
  assert.equal(clicks, 1);
  assert.equal(button.style.getPropertyValue("--share"), "0.5");
  assert.equal(button.dataset.word, "猫");
});

test("children: nested lists, numbers, elements; nothing is skipped", () => {
  const list = el("ul", {}, [[el("li", {}, 0)], null, false, undefined, "text"]);
  assert.equal(list.outerHTML, "<ul><li>0</li>text</ul>");
  replace(list, el("li"), "x");
  assert.equal(list.outerHTML, "<ul><li></li>x</ul>");
});

test("svg elements are of the svg namespace", () => {
  assert.equal(svg("path", { d: "M0 0" }).namespaceURI, "http://www.w3.org/2000/svg");
});
