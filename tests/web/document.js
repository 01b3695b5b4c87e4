/** A document for modules that build elements, as a browser has one. */

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://page.test/" });
window.HTMLCanvasElement.prototype.getContext = () => null; // what is drawn is seen in a browser
Object.assign(globalThis, {
  window,
  document: window.document,
  Node: window.Node,
  requestAnimationFrame: (draw) => setTimeout(draw),
  cancelAnimationFrame: clearTimeout,
});

export { window };
