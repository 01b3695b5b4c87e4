/**
 * The map from top to bottom, for narrow screens: the road on the left, its side roads in
 * panels on the right, one lane (column) per word.
 */

import { createBoard, drawn } from "../board.js";
import { digitsRow, silentRow, sizesFor } from "../sizes.js";
import { drawAttention } from "./attention.js";
import { drawEnd, drawEntrance, drawFfn, drawFolded } from "./parts.js";
import { BETWEEN, NARROWEST_ROAD, PAD } from "./pen.js";

const LARGEST_CELL = 53;
const SMALLEST_CELL = 10;
const ROOMY_ROW = 22; // a cell's height where few positions leave room for a finger
const MARGIN = 8;

/** The board for a container `width` px wide; `folded`: blocks of which only headings show. */
export function layoutDown(config, sequence, width, folded) {
  const gap = laneGap(sequence);
  const cell = cellWidth(sequence, width, gap);
  const board = createBoard(config, sequence, sizesDown(config, sequence, cell), true);
  const lanes = sequence * cell + (sequence - 1) * gap;
  const side = PAD + Math.max(lanes, NARROWEST_ROAD) + BETWEEN;
  board.width = Math.max(width, side + lanes + MARGIN);
  const right = board.width - PAD;
  const pen = { board, m: board.sizes, gap, road: PAD + 4, side, right, y: 0, from: 0, carries: null };
  drawEntrance(pen);
  for (let block = 0; block < config.num_layers; block += 1) {
    if (folded.has(block)) {
      drawFolded(pen, block);
    } else {
      drawAttention(pen, block);
      drawFfn(pen, block);
    }
  }
  drawEnd(pen);
  board.height = pen.y;
  return drawn(board);
}

function laneGap(sequence) {
  if (sequence <= 4) return 12;
  return sequence <= 8 ? 4 : 2;
}

function cellWidth(sequence, width, gap) {
  const gaps = (sequence - 1) * gap;
  const both = (width - 2 * PAD - BETWEEN - MARGIN) / 2 - gaps;
  const sideOnly = width - 3 * PAD - BETWEEN - MARGIN - NARROWEST_ROAD - gaps;
  const fits = Math.floor(Math.min(both, sideOnly) / sequence);
  return Math.max(SMALLEST_CELL, Math.min(fits, LARGEST_CELL));
}

function sizesDown(config, sequence, cell) {
  const roomy = sequence <= 3 && config.model_dim <= 4 ? ROOMY_ROW : null;
  const row = roomy ?? digitsRow(config, sequence) ?? silentRow(config, sequence);
  const font = Math.min(12.5, cell / 4.2);
  return sizesFor(config, sequence, { road: cell, cell, unit: cell / 4, font, row, k: 1 });
}
