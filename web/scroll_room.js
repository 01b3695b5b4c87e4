/**
 * Scroll padding, so that focused or scrolled-to elements are not covered by sticky ones.
 */

/** @param {HTMLElement[]} candidates those of them that are sticky at this width count */
export function keepScrollRoom(candidates) {
  const page = document.documentElement;

  function measure() {
    const top = Math.max(0, ...candidates.map(stickyHeight));
    page.style.scrollPaddingTop = `${top}px`;
    return top;
  }

  const observer = new ResizeObserver(() => requestAnimationFrame(measure)); // what it sets may size others
  for (const element of candidates) observer.observe(element);
  return {
    /** Measure now, rather than with the next frame: px at the window's top. */
    measure,
  };
}

/** What an element covers wherever the page is scrolled, px. */
export function stickyHeight(element) {
  return getComputedStyle(element).position === "sticky" ? element.offsetHeight : 0;
}
