/** A document for modules that build elements, as a browser has one. */

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://page.test/" });
Object.assign(globalThis, {
  window,
  document: window.document,
  Node: window.Node,
  requestAnimationFrame: (draw) => setTimeout(draw),
  cancelAnimationFrame: clearTimeout,
});

export { window };
