/**
 * On a narrow page what is open beside the map is a sheet from below, no higher than leaves the
 * chosen cell in view.
 */

/** As in css/desk.css. */
const NARROW = "(max-width: 899px)";
const SHARE = 0.48; // of the window
const LEAST = 168; // px: a cell's place, its last line
const CLEAR = 14; // px between the chosen cell and the sheet

/** @param {{aside: HTMLElement, map: HTMLElement}} parts */
export function createSheet({ aside, map }) {
  let shown = null; // the cell it was laid out for

  function update() {
    const isSheet = !aside.hidden && window.matchMedia?.(NARROW).matches;
    if (!isSheet) {
      shown = null;
      aside.style.removeProperty("--mg-sheet");
      return;
    }
    const cell = map.querySelector(".mg-map-chosen rect");
    if (shown && cell === shown.cell) return;
    shown = { cell };
    const height = window.innerHeight;
    const box = cell?.getBoundingClientRect();
    const isSeen = box && box.bottom > 0 && box.bottom <= height; // or the map brings it into view
    const room = isSeen ? height - box.bottom - CLEAR : Infinity;
    aside.style.setProperty("--mg-sheet", `${Math.round(Math.max(LEAST, Math.min(room, height * SHARE)))}px`);
    if (room < LEAST) window.scrollBy(0, LEAST - room);
  }

  return {
    update,
    /** Where the window's part begins that the sheet covers, px. */
    top: () => (shown ? aside.getBoundingClientRect().top : window.innerHeight),
  };
}
