/**
 * What is seen of the page at once. In a Space the page's frame can be as long as the page, and
 * scrolls with the page around it: then the window says nothing, and an observer tells.
 */

import { el, replace } from "./dom.js";

const STEP = 40; // px: how far what is seen moves until it is looked at again
const LONGER = 1.05; // than the screen: no window is

/** @param {HTMLElement} page the whole page */
export function createSeen(page) {
  const subscribers = new Set();
  let part = null; // {top, bottom} of a long frame, as observed last
  const tell = () => subscribers.forEach((subscriber) => subscriber());
  const screen = () => window.screen?.availHeight || Infinity;
  const isLong = () => window.parent !== window && window.innerHeight > screen() * LONGER;

  /** An observer that is new tells at once where the page is seen. */
  function look() {
    const observer = new IntersectionObserver((entries) => {
      observer.disconnect();
      const { top, bottom } = entries.at(-1).intersectionRect;
      if (bottom > top) part = { top, bottom };
      tell();
    });
    observer.observe(page);
  }

  const ruler = typeof IntersectionObserver === "function" ? createRuler(look) : null;
  const measure = () => ruler?.cover(isLong() ? window.innerHeight : 0);
  measure();
  window.addEventListener("resize", () => {
    measure();
    tell();
  });

  return {
    isLong,
    /** How much of it, px. */
    height: () => Math.min(window.innerHeight || Infinity, screen()),
    /** From where to where in the window, px. */
    part: () => (isLong() && part) || { top: 0, bottom: window.innerHeight },
    /**
     * Scroll what is seen down by so many px. A long frame is scrolled by the page around it,
     * where that made it so long: no browser lets a frame of another origin scroll it.
     */
    scroll(by, behavior = "auto") {
      if (!isLong()) window.scrollBy({ top: by, behavior });
      else if (part) window.parentIFrame?.scrollToOffset(0, Math.max(0, part.top + by));
    },
    subscribe: (subscriber) => subscribers.add(subscriber),
  };
}

/**
 * Marks along a long frame. The share of the page that is seen stays the same while it is scrolled,
 * so an observer of the page alone would say nothing: marks come into view and leave it.
 */
function createRuler(onChange) {
  const element = el("div", { "aria-hidden": "true" });
  Object.assign(element.style, { position: "absolute", top: 0, left: 0, width: "1px", pointerEvents: "none" });
  const observer = new IntersectionObserver(onChange);
  return {
    /** Have marks from 0 to `length` px. */
    cover(length) {
      observer.disconnect();
      const marks = Array.from({ length: Math.floor(length / STEP) }, () => el("div"));
      for (const mark of marks) mark.style.height = `${STEP}px`;
      replace(element, ...marks);
      if (marks.length) document.body.append(element);
      else element.remove();
      for (const mark of marks) observer.observe(mark);
    },
  };
}
