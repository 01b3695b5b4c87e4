import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { window } from "./document.js";
import { createTree } from "../../web/panels/sampling/tree.js";

const leaf = (word, step, share) => ({ word, step, share, children: [] });
const NODES = [
  { word: 0, step: 0.75, share: 0.75, children: [leaf(1, 0.9, 0.675), leaf(0, 0.1, 0.075)] },
  { word: 1, step: 0.25, share: 0.25, children: [leaf(1, 1, 0.25)] },
];
const FIRST = "我 × 0.7500 0.7500";
const SECOND = "喜欢 × 0.2500 0.2500";
const INNER = "喜欢 × 1.0000 0.2500 (喜欢 喜欢)";
let tree;

beforeEach(() => {
  tree = createTree({ t: (key) => key });
  document.body.replaceChildren(tree.element);
  tree.show(NODES, ["我", "喜欢"]);
});

const items = () => [...tree.element.querySelectorAll("[role='treeitem']")];
const visible = () => items().filter((item) => !item.closest("[hidden]")).map((item) => item.textContent);
const focused = () => document.activeElement.textContent;

function press(...keys) {
  for (const key of keys) {
    document.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}

test("the first branch is open, the names say the whole path", () => {
  assert.deepEqual(visible(), [FIRST, "喜欢 × 0.9000 0.6750 (我 喜欢)", "我 × 0.1000 0.0750 (我 我)", SECOND]);
  assert.equal(tree.element.getAttribute("role"), "tree");
});

test("exactly one item can be reached by Tab, and it is the one with the focus", () => {
  items()[0].focus();
  press("ArrowDown", "ArrowDown", "ArrowDown");
  assert.equal(focused(), SECOND);
  assert.deepEqual(items().filter((item) => item.tabIndex === 0).map((item) => item.textContent), [SECOND]);
});

test("arrows open, enter, leave and close; Home and End go to the ends", () => {
  items()[0].focus();
  press("End", "ArrowRight");
  assert.equal(focused(), SECOND);
  assert.equal(document.activeElement.getAttribute("aria-expanded"), "true");
  press("ArrowRight");
  assert.equal(focused(), INNER);
  press("ArrowRight"); // a leaf has nothing to enter
  assert.equal(focused(), INNER);
  press("ArrowLeft");
  assert.equal(focused(), SECOND);
  press("ArrowLeft");
  assert.equal(document.activeElement.getAttribute("aria-expanded"), "false");
  press("Home", "ArrowUp");
  assert.equal(focused(), FIRST);
});

test("a click opens and closes", () => {
  const second = items().find((item) => item.textContent === SECOND);
  second.click();
  assert.equal(second.getAttribute("aria-expanded"), "true");
  second.click();
  assert.equal(second.getAttribute("aria-expanded"), "false");
});

test("a path is opened from outside down to its end", () => {
  tree.open([1, 0]);
  assert.equal(focused(), INNER);
  assert.ok(visible().includes(INNER));
});
