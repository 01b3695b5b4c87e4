/**
 * What other parts of the page mark on the map: the cells that the open working reads, and the
 * cell that a tour asks for. They are kept for when the board is drawn anew.
 */

import { createCamera } from "./camera.js";

/** @param {() => object|null} board the drawn board, see board_view.js */
export function createMarks(app, board) {
  const { follow, showCell } = createCamera(app);
  let operands = [];
  let markedFor = null; // the view that the operands belong to
  let target = null;
  let latest = null; // the view of the last update

  return {
    /** After the board has shown `view`; `isNew`: it was drawn anew. */
    update(view, isNew) {
      latest = view;
      if (isNew) board().markTarget(target);
      if (isNew && view === markedFor) board().markOperands(operands);
      follow(board());
    },
    /** The cells that the open working reads, {key, cell}[]. */
    markOperands(refs) {
      operands = refs;
      markedFor = latest;
      board()?.markOperands(refs);
    },
    /** The one of them that is pointed at in the working, or null. */
    pointOperand: (ref) => board()?.pointOperand(ref),
    /** Ring the cell {key, cell} that is to be chosen, and bring it into view; null rings none. */
    markTarget(ref) {
      const isNew = JSON.stringify(ref) !== JSON.stringify(target);
      target = ref;
      const cell = board()?.markTarget(ref);
      if (cell && isNew) showCell(board().scroller, cell);
    },
    /** Bring the cell {key, cell} into view. */
    bringIntoView(ref) {
      const cell = board()?.cellAt(ref);
      if (cell) showCell(board().scroller, cell);
    },
  };
}
