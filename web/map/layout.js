/** Where everything on the map lies: to the right where there is room, else downwards. */

import { layoutAcross } from "./across/layout.js";
import { layoutDown } from "./down/layout.js";
import { digitsRow } from "./sizes.js";
import { cellsOfBlock } from "./stages.js";

/** Narrower than this, in px, the road runs down. */
export const NARROW = 720;

/** With more cells than this, only one block shows them; the others show their headings. */
const MOST_CELLS = 6000;

/** With more cells in its blocks than this, they have no element each. */
const MOST_ELEMENTS = 3000;

/**
 * @param {object} config vocab_size, model_dim, num_heads, num_layers
 * @param {number} sequence positions in the window, at least 1
 * @param {number} width px there are
 * @param {object} more `open`: the block to show where not all can be; `height`: px that a board
 *   to the right keeps within, if its cells can be made so low
 * @returns {object} the board, see board.js
 */
export function layoutMap(config, sequence, width, { open = 0, height = Infinity } = {}) {
  const folded = foldedBlocks(config, sequence, open);
  const isPicture = isMany(config, sequence, folded);
  const board =
    width < NARROW
      ? layoutDown(config, sequence, width, folded)
      : layoutAcross(config, sequence, { width, height, folded, isPicture });
  return { ...board, isPicture };
}

/** Whether there are so many cells that each value is one picture, and none of them shows its digits. */
function isMany(config, sequence, folded) {
  const count = (config.num_layers - folded.size) * cellsOfBlock(config, sequence);
  return count > MOST_ELEMENTS && digitsRow(config, sequence) === null;
}

/** The blocks that show only their headings: none, if all their cells can be drawn. */
export function foldedBlocks(config, sequence, open) {
  const blocks = Array.from({ length: config.num_layers }, (_, block) => block);
  if (config.num_layers * cellsOfBlock(config, sequence) <= MOST_CELLS) return new Set();
  return new Set(blocks.filter((block) => block !== open));
}
