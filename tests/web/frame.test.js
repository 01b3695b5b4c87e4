import { window } from "./document.js";
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { reportHeight } from "../../web/frame.js";

let resized;
let told;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  told = [];
  globalThis.ResizeObserver = class {
    constructor(run) {
      resized = run;
    }
    observe() {}
  };
  window.parentIFrame = { size: (height) => told.push(height) };
});

afterEach(() => {
  mock.timers.reset();
  delete globalThis.ResizeObserver;
});

const ofHeight = (bottom) => ({ getBoundingClientRect: () => ({ bottom }) });

test("the height is told once where the frame follows", () => {
  reportHeight(ofHeight(900.2));
  resized();
  window.innerHeight = 901;
  mock.timers.tick(10_000);
  assert.deepEqual(told, [901]);
});

test("a report that was lost is made again, until the frame has that height", () => {
  window.innerHeight = 1400;
  reportHeight(ofHeight(900));
  resized();
  mock.timers.tick(250);
  window.innerHeight = 900;
  mock.timers.tick(10_000);
  assert.deepEqual(told, [900, 900]);
});

test("a parent that keeps a height of its own is not told for ever", () => {
  window.innerHeight = 300;
  reportHeight(ofHeight(900));
  resized();
  for (let at = 0; at < 100; at += 1) mock.timers.tick(250);
  assert.equal(told.length, 8);
});

test("a page that is in no frame tells nobody", () => {
  delete window.parentIFrame;
  reportHeight(ofHeight(900));
  resized();
  mock.timers.tick(10_000);
  assert.deepEqual(told, []);
});
