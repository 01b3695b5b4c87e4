/**
 * Keeps in view what is chosen or to be chosen, moving no farther than needed. What a person
 * clicks is in view already: then the page stays, and the map moves at most sideways.
 */

const BESIDE = 24; // px beside the cell that are in view with it

/**
 * @param {{open: () => {top: number, bottom: number}, seen: object}} app `open`: where the page
 *   can be seen uncovered, px; `seen`: see ../seen.js
 */
export function createCamera({ open, seen }) {
  let shown = null;

  function showCell(scroller, cell) {
    // What opens beside the map with this choice has taken its room by then.
    requestAnimationFrame(() => {
      sideways(scroller, cell);
      if (open) along(scroller, cell, open(), seen);
    });
  }

  return {
    showCell,
    /** Bring the chosen cell of a drawn board into view, once for each choice. */
    follow({ scroller, chosen }) {
      const cell = chosen();
      if (cell === shown) return;
      shown = cell;
      if (cell) showCell(scroller, cell);
    },
  };
}

function sideways(scroller, { x, w }) {
  const [left, right] = [x - BESIDE, x + w + BESIDE];
  const room = scroller.clientWidth;
  const at = scroller.scrollLeft;
  if (left >= at && right <= at + room) return;
  scroller.scrollTo({ left: Math.max(0, right > at + room ? right - room : left), behavior: "smooth" });
}

function along(scroller, { y, h }, { top, bottom }, seen) {
  const at = scroller.getBoundingClientRect().top + y;
  if (at >= top && at + h <= bottom) return;
  seen.scroll(at + h / 2 - (top + bottom) / 2, "smooth");
}
