/** Arrow keys over headings and cells, one of which is in the tab order (roving tabindex). */

import { listenForKeys } from "../composing.js";
import { nextPlace } from "./navigate.js";

export function createKeyboard(board, views, plane, rings) {
  const elementAt = ({ stage, cell }) =>
    cell === null ? views[stage].heading : views[stage].elementAt(cell);
  let place = { stage: 0, cell: null };
  elementAt(place).setAttribute("tabindex", "0");

  function placeOf(element) {
    const stage = views.findIndex((view) => view.element.contains(element));
    if (stage < 0) return null;
    if (views[stage].heading.contains(element)) return { stage, cell: null };
    const cell = views[stage].numberOf(element);
    return cell < 0 ? null : { stage, cell };
  }

  function rove(next) {
    elementAt(place).setAttribute("tabindex", "-1");
    place = next;
    elementAt(place).setAttribute("tabindex", "0");
  }

  plane.addEventListener("focusin", (event) => {
    const next = placeOf(event.target);
    if (next) rove(next);
    const isShown = next && next.cell !== null && event.target.matches(":focus-visible");
    rings.focus(isShown ? board.stages[next.stage].cells[next.cell] : null);
    if (isShown) bringIntoView(event.target);
  });
  plane.addEventListener("focusout", () => rings.focus(null));
  listenForKeys(plane, (event) => {
    const here = placeOf(event.target);
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextPlace(board, here, event.key);
    if (!next) return;
    event.preventDefault();
    elementAt(next).focus({ preventScroll: next.cell !== null });
  });

  return {
    /** The place that has the focus, or null. */
    focusedPlace() {
      const here = placeOf(document.activeElement);
      if (!here) return null;
      const { cells, key } = board.stages[here.stage];
      return { key, index: here.cell === null ? null : cells[here.cell].index };
    },
    /** Focus the cell of a former structure again, or its stage if the cell is gone. */
    focusPlace({ key, index }) {
      const stage = board.stages.findIndex((one) => one.key === key);
      if (stage < 0) return;
      const cell = board.stages[stage].cells.findIndex((one) => `${one.index}` === `${index}`);
      elementAt({ stage, cell: cell < 0 ? null : cell }).focus({ preventScroll: true });
    },
  };
}

/** Firefox reports a wrong box for an SVG group; that of a shape in it is right. */
function bringIntoView(cell) {
  (cell.querySelector("rect") ?? cell).scrollIntoView({ block: "nearest", inline: "nearest" });
}
