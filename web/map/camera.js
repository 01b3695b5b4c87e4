/**
 * Keeps in view what is chosen or to be chosen, moving no farther than needed. What a person
 * clicks is in view already: then the page stays, and the map moves at most sideways.
 */

const BESIDE = 24; // px beside the cell that are in view with it
const RIM = 64; // px: less than this is not left out at an end, the words beside the last column

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
  const nearest = right > at + room ? right - room : left;
  scroller.scrollTo({ left: withRim(nearest, { left, right, room, last: scroller.scrollWidth - room }), behavior: "smooth" });
}

/** The place to scroll to, or the end that it comes close to, if all from `left` to `right` is in view there. */
function withRim(nearest, { left, right, room, last }) {
  if (last - nearest < RIM && last <= left) return last;
  if (nearest < RIM && right <= room) return 0;
  return Math.max(0, nearest);
}

function along(scroller, { y, h }, { top, bottom }, seen) {
  const at = scroller.getBoundingClientRect().top + y;
  if (at >= top && at + h <= bottom) return;
  seen.scroll(at + h / 2 - (top + bottom) / 2, "smooth");
}
