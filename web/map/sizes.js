/**
 * Sizes in px, from the network's sizes and the room there is.
 *
 * A cell that is at least MIN_DIGITS wide and MIN_ROW high shows its value to four decimals.
 */

const MIN_DIGITS = 42;
const MIN_ROW = 14;
const MIN_WORD_ROW = 12; // of a word's score, which stand closer
const LARGEST_ROW = 19;
const SMALLEST_ROW = 2;
const LARGEST_SILENT_ROW = 12; // without digits a tall cell says no more
/** Positions; with more, height is scarce and cells stay small. */
export const FEW = 4;
const LARGEST_FOR_MANY = 1.1; // the factor `k` there
const MOST_SLOTS = 8; // words shown a position
/** Words that have a bar of their own; the others have one together. */
export const MOST_BARS = 10;
const LYING = { lane: 12, gap: 2, plus: 4, matrix: 5 }; // px
const LYING_WIDTHS = [64, 32]; // of a vector
const LOWER = [0.92, 0.85, 0.8, 0.74, 0]; // shares of a cell's height, where it is scarce
/** Heights of a heading: a line for people, and two of the term, which the tooltip tells too. */
const LABEL = { tight: 22, roomy: 47 };
const MATRIX_LABEL = { tight: 20, roomy: 34 };

/**
 * Widths of cells, widest first: on the road, beside it, and of an FFN unit; the digits' size,
 * and the factor `k` by which headings and their room grow with them.
 */
const WITH_DIGITS = [
  { road: 70, cell: 68, unit: 58, font: 16, k: 1.35 },
  { road: 72, cell: 70, unit: 17, font: 16.5, k: 1.35 },
  { road: 66, cell: 64, unit: 16, font: 15.5, k: 1.3 },
  { road: 61, cell: 59, unit: 15, font: 14.5, k: 1.25 },
  { road: 57, cell: 55, unit: 14, font: 13.5, k: 1.18 },
  { road: 53, cell: 51, unit: 13, font: 12.5, k: 1.1 },
  { road: 50, cell: 47, unit: 12, font: 11.5, k: 1.05 },
  { road: 48, cell: 45, unit: 11, font: 11, k: 1 },
  { road: 46, cell: 42, unit: 10, font: 10.5, k: 1 },
];
const WITHOUT_DIGITS = [
  { road: 38, cell: 38, unit: 12, font: 10, k: 1.15 },
  { road: 34, cell: 34, unit: 11, font: 10, k: 1 },
  { road: 28, cell: 28, unit: 9, font: 10, k: 1 },
  { road: 22, cell: 22, unit: 7, font: 10, k: 1 },
];

/** Heights of a vector that stay readable with so many positions below one another. */
function laneTargets(sequence) {
  if (sequence <= 2) return { digits: 150, silent: 90 };
  if (sequence <= 4) return { digits: 84, silent: 64 };
  return sequence <= 8 ? { digits: 57, silent: 42 } : { digits: 0, silent: 36 };
}

/** Height of a cell that shows its digits; null if so many would not fit. */
export function digitsRow(config, sequence) {
  const row = Math.floor(laneTargets(sequence).digits / config.model_dim);
  return row >= MIN_ROW ? Math.min(row, LARGEST_ROW) : null;
}

/** Height of a cell that shows its colour only. */
export function silentRow(config, sequence) {
  const row = Math.floor(laneTargets(sequence).silent / config.model_dim);
  return Math.max(SMALLEST_ROW, Math.min(row, LARGEST_SILENT_ROW));
}

/** The sizes to try, best first: with digits, then without, the widest of each first. */
export function candidates(config, sequence) {
  const row = digitsRow(config, sequence);
  const silent = silentRow(config, sequence);
  const largest = sequence > FEW ? LARGEST_FOR_MANY : Infinity;
  const fitting = row === null ? [] : WITH_DIGITS.filter(({ k }) => k <= largest);
  const withDigits = fitting.map((width) => ({ ...width, row: row * width.k }));
  const without = WITHOUT_DIGITS.map((width) => ({ ...width, row: silent }));
  return [...withDigits, ...without].map((widths) => sizesFor(config, sequence, widths));
}

/**
 * The sizes of pictures: in a lane as high as its word a vector lies, channel beside channel, so
 * that a long text has room.
 */
export function lying(config, sequence) {
  return LYING_WIDTHS.map((widest) => {
    const cell = config.model_dim * Math.max(1, Math.floor(widest / config.model_dim));
    const sizes = sizesFor(config, sequence, { road: cell, cell, unit: cell / 2, font: 10, row: 1, k: 1 });
    const lane = { row: LYING.lane, vector: LYING.lane, laneHeight: LYING.lane, laneGap: LYING.gap, headGap: 0 };
    return { ...sizes, ...lane, lies: true, plus: LYING.plus, matrix: { w: LYING.matrix, h: LYING.matrix } };
  });
}

/** `sizes`, then what they can be where height is scarce: tight, then with lower cells too. */
export function lowered(config, sequence, sizes) {
  const { road, cell, unit, font, row, k } = sizes;
  const least = sizes.digits.side ? MIN_ROW : SMALLEST_ROW;
  const widths = { road, cell, unit, font, k };
  const rows = LOWER.map((share) => Math.max(least, Math.min(row, row * share)));
  const tight = [row, ...rows].map((each) =>
    sizesFor(config, sequence, { ...widths, row: each, isTight: true }),
  );
  return [sizes, ...tight];
}

/** All sizes for cells of these widths and this height; `isTight`: without the terms. */
export function sizesFor(config, sequence, { road, cell, unit, font, row, k, isTight = false }) {
  const headGap = row >= MIN_ROW ? 5 : 2;
  const vector = config.model_dim * row;
  const laneHeight = vector + (config.num_heads - 1) * headGap;
  const slots = Math.min(config.vocab_size, MOST_SLOTS);
  const matrix = matrixSize(sequence, cell, row);
  return {
    road,
    cell,
    unit,
    row,
    font,
    k,
    headGap,
    vector,
    laneHeight,
    laneGap: sequence <= 4 ? (isTight ? 12 : 22) * k : 11,
    isTight,
    label: (isTight ? LABEL.tight : LABEL.roomy) * k,
    matrixLabel: (isTight ? MATRIX_LABEL.tight : MATRIX_LABEL.roomy) * k,
    bundle: sequence <= 4 ? 7 : Math.max(1.5, (cell - 4) / sequence),
    plus: sequence <= 4 ? 9 : 6,
    wire: sequence <= 4 ? 1.75 : 1.1,
    matrix,
    slots,
    bars: Math.min(config.vocab_size, MOST_BARS + 1),
    digits: {
      road: hasDigits(road, row),
      side: hasDigits(cell, row),
      unit: hasDigits(unit, row),
      matrix: hasDigits(matrix.w, matrix.h),
      words: cell >= MIN_DIGITS && laneHeight / slots >= MIN_WORD_ROW,
    },
  };
}

function matrixSize(sequence, cell, row) {
  if (row < MIN_ROW && sequence <= 4) return { w: 22, h: 18 };
  if (sequence <= 2) return { w: cell, h: row };
  if (sequence <= 4) return { w: Math.max(Math.min(cell, 48), MIN_DIGITS), h: Math.max(row, MIN_ROW) };
  const side = sequence <= 8 ? 15 : 10;
  return { w: side, h: side };
}

function hasDigits(width, height) {
  return width >= MIN_DIGITS && height >= MIN_ROW;
}
