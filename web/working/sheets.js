/**
 * A value as tables: row and column headings, and the cell at each place.
 *
 * Axes: T sequence, C model_dim, H num_heads, D head_size, F ffn units, V vocabulary,
 * L context_length; 3C the rows of Q, K and V.
 */

import { withGloss } from "../glosses.js";

/**
 * @param {{axes: string[]}} value
 * @param {object} context `shape`, `window` (ids), `words`, `t`
 * @returns {Array<{head: number|null, rows: Head[], columns: Head[], at: (row, column) =>
 *   number[]}>} a Head is `{text, detail, word}`; `word` is an id or null
 */
export function sheetsOf(value, context) {
  const { shape } = value.axes.length ? context : { shape: [] };
  const heads = (axis, index) => headsOf(axis, shape[index], context);
  const axes = value.axes.join(" ");
  if (axes.startsWith("H T ")) {
    return Array.from({ length: shape[0] }, (_, head) => ({
      head,
      rows: heads("T", 1),
      columns: heads(value.axes[2], 2),
      at: (row, column) => [head, row, column],
    }));
  }
  if (axes === "H T") {
    return [whole(heads("T", 1), heads("H", 0), (row, column) => [column, row])];
  }
  if (axes === "T") return [whole(heads("T", 0), [bare("")], (row) => [row])];
  if (value.axes.length === 1) {
    return [whole([bare("")], heads(value.axes[0], 0), (row, column) => [column])];
  }
  return [whole(heads(value.axes[0], 0), heads(value.axes[1], 1), (row, column) => [row, column])];
}

function whole(rows, columns, at) {
  return { head: null, rows, columns, at };
}

function bare(text) {
  return { text, detail: "", word: null };
}

function headsOf(axis, count, context) {
  return Array.from({ length: count }, (_, index) => headOf(axis, index, context));
}

function headOf(axis, index, { window, words, sizes, t }) {
  switch (axis) {
    case "T":
      return { text: words[window[index]], detail: String(index), word: window[index] };
    case "V":
      return { text: words[index], detail: "", word: index };
    case "H":
      return bare(t("working.head", { number: index + 1 }));
    case "L":
      return bare(t("working.position", { number: index }));
    case "3C": {
      const part = ["Q", "K", "V"][Math.floor(index / sizes.C)];
      return bare(`${part} ${index % sizes.C}`);
    }
    default:
      return bare(String(index));
  }
}

/** What the columns of `axis` count: "channel", "unit"…; null if they are words. */
export function columnKind(axis) {
  return { C: "channel", D: "channel", F: "unit" }[axis] ?? null;
}

/** The number in one cell of nested lists; undefined where there is none. */
export function cellOf(values, cell) {
  return cell.reduce((part, index) => part?.[index], values);
}

/** The place of a cell as text: 喜欢（位置 1），通道 0. */
export function placeOf(value, cell, context) {
  return partsOf(value, cell, context).join(context.t("working.comma"));
}

/** The last part of `placeOf`: 通道 0. */
export function lastPlaceOf(value, cell, context) {
  return partsOf(value, cell, context).at(-1);
}

function partsOf(value, cell, context) {
  return value.axes.map((axis, order) =>
    partOf(axis, cell[order], value.axes.indexOf("T") < order, context),
  );
}

function partOf(axis, index, isSeen, { window, words, sizes, t }) {
  switch (axis) {
    case "T":
      return t(isSeen ? "working.place.seen" : "working.place.word", {
        word: withGloss(words[window[index]], t),
        position: index,
      });
    case "V":
      return t("working.place.candidate", { word: withGloss(words[index], t) });
    case "H":
      return t("working.head", { number: index + 1 });
    case "L":
      return t("working.position", { number: index });
    case "F":
      return t("working.place.unit", { number: index });
    case "3C":
      return t("working.place.row", { number: `${["Q", "K", "V"][Math.floor(index / sizes.C)]} ${index % sizes.C}` });
    default:
      return t("working.place.channel", { number: index });
  }
}
