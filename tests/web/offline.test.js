import { window } from "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { createOffline } from "../../web/static/offline.js";
import { settled } from "./page.js";

Object.assign(globalThis, { MutationObserver: window.MutationObserver });

const strings = Object.fromEntries(
  ["offline_pending", "offline_ready", "offline_failed"].map((key) => [`static.${key}`, { zh: key, en: key }]),
);
strings["language.tag"] = { zh: "zh-CN", en: "en" };

/** A page whose service worker is being installed. */
function installing() {
  const worker = new window.EventTarget();
  let becomeReady;
  const serviceWorker = {
    register: async () => ({ installing: worker }),
    ready: new Promise((resolve) => { becomeReady = resolve; }),
  };
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  const container = document.createElement("div");
  createOffline(container, { strings, root: "", version: "1" });
  const become = async (state) => {
    worker.state = state;
    worker.dispatchEvent(new window.Event("statechange"));
    if (state === "activated") becomeReady();
    await settled();
  };
  return { container, become };
}

test("a browser that keeps every file says so when it has", async () => {
  const { container, become } = installing();
  await settled();
  assert.equal(container.textContent, "offline_pending");
  await become("activated");
  assert.equal(container.textContent, "offline_ready");
});

test("a browser without room for the files does not leave the page waiting", async () => {
  const { container, become } = installing();
  await settled();
  await become("redundant");
  assert.equal(container.textContent, "offline_failed");
});
