/** In an auto-sized frame (a Space): reports the page's height to the parent. */

const READY = "gradio:iframe-resizer-ready"; // sent by the iframe-resizer script in the document

/** @param {HTMLElement} element the whole page */
export function reportHeight(element) {
  const report = () => {
    const { bottom } = element.getBoundingClientRect();
    const height = Math.ceil(bottom + window.scrollY);
    if (height > 0) window.parentIFrame?.size(height);
  };
  new ResizeObserver(report).observe(element, { box: "border-box" });
  window.addEventListener(READY, report);
}
