/**
 * On a narrow page what is open beside the map is a sheet from below, no higher than leaves the
 * chosen cell in view.
 */

/** As in css/desk.css. */
const NARROW = "(max-width: 899px)";
const SHARE = 0.48; // of what is seen
const LEAST = 272; // px: a cell's place and the first line of its working
const CLEAR = 14; // px between the chosen cell and the sheet

/** @param {{aside: HTMLElement, map: HTMLElement, seen: object}} parts `seen`: see seen.js */
export function createSheet({ aside, map, seen }) {
  let shown = null; // the cell it was laid out for

  function update() {
    const isSheet = !aside.hidden && window.matchMedia?.(NARROW).matches;
    aside.classList.toggle("mg-sheet-placed", Boolean(isSheet) && seen.isLong());
    if (!isSheet) {
      shown = null;
      aside.style.removeProperty("--mg-sheet");
      return;
    }
    layOut();
    if (seen.isLong()) aside.style.setProperty("--mg-sheet-end", `${Math.round(seen.part().bottom)}px`);
  }

  function layOut() {
    const cell = map.querySelector(".mg-map-chosen rect");
    if (shown && cell === shown.cell) return;
    shown = { cell };
    const { top, bottom } = seen.part();
    const box = cell?.getBoundingClientRect();
    const isSeen = box && box.bottom > top && box.bottom <= bottom; // or the map brings it into view
    const room = isSeen ? bottom - box.bottom - CLEAR : Infinity;
    aside.style.setProperty("--mg-sheet", `${Math.round(Math.max(LEAST, Math.min(room, (bottom - top) * SHARE)))}px`);
    if (room < LEAST) seen.scroll(LEAST - room);
  }

  seen.subscribe(update);

  return {
    update,
    /** Where the window's part begins that the sheet covers, px. */
    top: () => (shown ? aside.getBoundingClientRect().top : seen.part().bottom),
  };
}
