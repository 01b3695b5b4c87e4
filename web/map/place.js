/**
 * The rectangles of a tensor's cells, from where its parts begin.
 *
 * A vector stands upright, one channel below the other, in one lane a position; in a picture with
 * lanes to the right it lies in its lane.
 */

/** Cells of a vector a position: [T, C]. `corner(t)` is the upper left of position t's vector. */
export function vectorCells(stage, corner, { w, h, lies }) {
  const [sequence, channels] = stage.shape;
  if (lies) return lyingCells(stage, corner, { w, h });
  return grid(sequence, channels, (t, c) => ({
    index: [t, c],
    x: corner(t).x,
    y: corner(t).y + c * h,
    w,
    h,
  }));
}

/** Cells of a vector a head and position: [H, T, D]; heads stand apart by `gap`. */
export function headCells(stage, corner, { w, h, gap, lies }) {
  if (lies) return lyingCells(stage, corner, { w, h });
  const [heads, sequence, size] = stage.shape;
  return grid(heads, sequence, (head, t) =>
    Array.from({ length: size }, (_, d) => ({
      index: [head, t, d],
      x: corner(t).x,
      y: corner(t).y + (head * size + d) * h + head * gap,
      w,
      h,
    })),
  ).flat();
}

/** Cells of the FFN's units [T, F], in columns of `rows`: the vector made wider. */
export function unitCells(stage, corner, { w, h, rows, lies }) {
  if (lies) return lyingCells(stage, corner, { w: (w * stage.shape.at(-1)) / rows, h });
  const [sequence, units] = stage.shape;
  return grid(sequence, units, (t, f) => ({
    index: [t, f],
    x: corner(t).x + Math.floor(f / rows) * w,
    y: corner(t).y + (f % rows) * h,
    w,
    h,
  }));
}

/** Cells of a matrix a head: [H, T, T], row the looking position, column the one looked at. */
export function matrixCells(stage, corner, { w, h }) {
  const [heads, rows, columns] = stage.shape;
  return grid(heads, rows, (head, row) =>
    Array.from({ length: columns }, (_, column) => ({
      index: [head, row, column],
      x: corner(head).x + column * w,
      y: corner(head).y + row * h,
      w,
      h,
    })),
  ).flat();
}

/**
 * Cells of a score a word and position: [T, V], `slots` of them: with more words than slots,
 * slot s holds the s-th most probable word, and `index` says [t, null].
 */
export function wordCells(stage, corner, { w, height, slots, lies }) {
  const [sequence, words] = stage.shape;
  if (lies) return lyingWords(stage, corner, { w: w / slots, h: height, slots });
  const h = height / slots;
  return grid(sequence, slots, (t, slot) => ({
    index: [t, words > slots ? null : slot],
    slot,
    x: corner(t).x,
    y: corner(t).y + slot * h,
    w,
    h,
  }));
}

/** Cells of a vector a position that lies: channel beside channel, the heads' one after the other. */
function lyingCells({ shape }, corner, { w, h }) {
  const [sequence, size] = shape.slice(-2);
  const heads = shape.length === 3 ? shape[0] : 1;
  const width = w / (heads * size);
  return Array.from({ length: heads }, (_, head) =>
    grid(sequence, size, (t, channel) => ({
      index: shape.length === 3 ? [head, t, channel] : [t, channel],
      x: corner(t).x + (head * size + channel) * width,
      y: corner(t).y,
      w: width,
      h,
    })),
  ).flat();
}

function lyingWords({ shape: [sequence, words] }, corner, { w, h, slots }) {
  return grid(sequence, slots, (t, slot) => ({
    index: [t, words > slots ? null : slot],
    slot,
    x: corner(t).x + slot * w,
    y: corner(t).y,
    w,
    h,
  }));
}

/** The smallest rectangle around `cells`. */
export function boxOf(cells) {
  const x = Math.min(...cells.map((cell) => cell.x));
  const y = Math.min(...cells.map((cell) => cell.y));
  const right = Math.max(...cells.map((cell) => cell.x + cell.w));
  const bottom = Math.max(...cells.map((cell) => cell.y + cell.h));
  return { x, y, w: right - x, h: bottom - y };
}

function grid(rows, columns, make) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => make(row, column)),
  ).flat();
}
