/** In an auto-sized frame (a Space): reports the page's height to the parent. */

const READY = "gradio:iframe-resizer-ready"; // sent by the iframe-resizer script in the document
const AGAIN_MS = 250;
const TIMES = 8; // a parent may have a largest height of its own
const NEAR = 2; // px

/** @param {HTMLElement} element the whole page */
export function reportHeight(element) {
  let timer = null;

  function report(times = TIMES) {
    clearTimeout(timer);
    const { bottom } = element.getBoundingClientRect();
    const height = Math.ceil(bottom + window.scrollY);
    if (height <= 0 || !window.parentIFrame) return;
    window.parentIFrame.size(height);
    // The script passes on the last of several reports within a frame of time, and what it
    // measures itself is never lower than the frame: a page that shrank would not be told.
    const isLost = () => Math.abs(window.innerHeight - height) > NEAR;
    if (times > 1) timer = setTimeout(() => isLost() && report(times - 1), AGAIN_MS);
  }

  new ResizeObserver(() => report()).observe(element, { box: "border-box" });
  window.addEventListener(READY, () => report());
}
