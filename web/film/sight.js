/** Keeps what the film shows in view: above its bar, below what stays at the window's top. */

import { stickyHeight } from "../scroll_room.js";

const CLEAR = 4; // px between the map and the bar

/**
 * @param {object} parts of the drawn board
 * @param {Element} bar stands at the bottom and covers what is there
 * @param {{measure: () => number}} scrollRoom see scroll_room.js
 */
export function createSight({ plane, views, answer }, bar, scrollRoom) {
  const page = document.documentElement;
  let moved = null; // {from, to}: how far the page was scrolled before, and since

  /** The part of the window that nothing covers. */
  function open() {
    const height = stickyHeight(bar);
    return { top: scrollRoom.measure(), bottom: window.innerHeight - height - CLEAR, height };
  }

  function scrollBy(top, behavior) {
    moved = { from: moved?.from ?? window.scrollY, to: window.scrollY + top };
    window.scrollBy({ top, behavior });
  }

  return {
    /** Bring into view all of the map if there is room for it, or else the cells of `scene`. */
    bring(scene, isSmooth) {
      const { top, bottom, height } = open();
      const behavior = isSmooth ? "smooth" : "auto";
      page.style.scrollPaddingBottom = `${height + CLEAR}px`;
      const board = plane.getBoundingClientRect();
      if (board.height <= bottom - top) {
        const by = Math.max(0, board.bottom - bottom) || Math.min(0, board.top - top);
        if (by) scrollBy(by, behavior);
      }
      const element = elementOf(scene, views, answer);
      const box = element?.getBoundingClientRect();
      if (!box) return;
      const isAcross = box.left >= 0 && box.right <= window.innerWidth;
      const isSeen = isAcross && box.top >= top && box.bottom <= bottom;
      if (isSeen || (board.height <= bottom - top && isAcross)) return;
      const block = box.height > bottom - top ? "start" : "center";
      element.scrollIntoView({ block, inline: "center", behavior });
    },
    /** The page where it was, unless a person has scrolled since. */
    end() {
      page.style.scrollPaddingBottom = "";
      if (moved && Math.abs(window.scrollY - moved.to) <= 2) window.scrollTo({ top: moved.from, behavior: "auto" });
    },
  };
}

/** The last word's bars end the film; their columns stand beside them. */
function elementOf({ key }, views, answer) {
  const view = views.find(({ stage }) => stage.key === key);
  if (!view || key === "vocabulary_probs") return answer.element;
  return view.element.querySelector(".mg-map-cells") ?? view.heading;
}
