/**
 * What is seen of the page at once. In a Space the page's frame can be as long as the page, and
 * scrolls with the page around it: then the window says nothing, and an observer tells.
 */

const STEPS = 200; // of the page's length, at which the observer tells
const LONGER = 1.05; // than the screen: no window is

/** @param {HTMLElement} page the whole page */
export function createSeen(page) {
  const subscribers = new Set();
  let part = null; // {top, bottom} of a long frame, as observed last
  const tell = () => subscribers.forEach((subscriber) => subscriber());
  const screen = () => window.screen?.availHeight || Infinity;
  const isLong = () => window.parent !== window && window.innerHeight > screen() * LONGER;

  if (typeof IntersectionObserver === "function") {
    const threshold = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
    new IntersectionObserver((entries) => {
      const { top, bottom } = entries.at(-1).intersectionRect;
      if (bottom > top) part = { top, bottom };
      if (isLong()) tell();
    }, { threshold }).observe(page);
  }
  window.addEventListener("resize", tell);

  return {
    isLong,
    /** How much of it, px. */
    height: () => Math.min(window.innerHeight || Infinity, screen()),
    /** From where to where in the window, px. */
    part: () => (isLong() && part) || { top: 0, bottom: window.innerHeight },
    subscribe: (subscriber) => subscribers.add(subscriber),
  };
}
