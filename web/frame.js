/** In a frame that grows with its page (a Space): the frame's owner learns the page's height. */

const READY = "gradio:iframe-resizer-ready"; // from the script in the document that talks to the owner

/** @param {HTMLElement} element the whole page */
export function reportHeight(element) {
  const report = () => {
    const { bottom } = element.getBoundingClientRect();
    window.parentIFrame?.size(Math.ceil(bottom + window.scrollY));
  };
  new ResizeObserver(report).observe(element, { box: "border-box" });
  window.addEventListener(READY, report);
}
