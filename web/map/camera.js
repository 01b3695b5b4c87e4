/**
 * Where there is less room than the map needs, it follows what is chosen: sideways only, and no
 * farther than needed.
 */

const BESIDE = 24; // px beside the chosen cell that are in view with it

/** A function that brings the chosen cell of a drawn board into view, once for each choice. */
export function createCamera() {
  let shown = null;
  return ({ scroller, chosen }) => {
    const cell = chosen();
    if (cell === shown) return;
    shown = cell;
    // What opens beside the map with this choice has taken its room by then.
    if (cell) requestAnimationFrame(() => show(scroller, cell));
  };
}

function show(scroller, { x, w }) {
  const [left, right] = [x - BESIDE, x + w + BESIDE];
  const room = scroller.clientWidth;
  const at = scroller.scrollLeft;
  if (left >= at && right <= at + room) return;
  scroller.scrollTo({ left: Math.max(0, right > at + room ? right - room : left), behavior: "smooth" });
}
