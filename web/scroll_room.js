/**
 * Scroll padding, so that focused or scrolled-to elements are not covered by sticky ones.
 */

/** @param {HTMLElement[]} candidates those of them that are sticky at this width count */
export function keepScrollRoom(candidates) {
  const page = document.documentElement;
  const measure = () => {
    const heights = candidates
      .filter((element) => getComputedStyle(element).position === "sticky")
      .map((element) => element.offsetHeight);
    page.style.scrollPaddingTop = `${Math.max(0, ...heights)}px`;
  };
  const observer = new ResizeObserver(() => requestAnimationFrame(measure)); // what it sets may size others
  for (const element of candidates) observer.observe(element);
}
