/** How wide the parts of the network are when the road runs to the right, in px. */

export const PAD = 4;
export const WORD = { w: 46, h: 34 }; // times k, as the other measures of text
export const HEAD_TAG = 40;
export const WORD_TAG = 34;
export const MATRIX_GAP = 56; // holds the word "softmax"
const WORDS_AT_END = 28;
const LAST_HEADING = 73; // "Next word" in DejaVu Sans Bold

const LONGEST_STOP = 104; // "After attention" in DejaVu Sans Bold

/** The last column with the words beside it, at least as wide as its heading. */
export function lastColumn(m) {
  return Math.max(m.cell + WORDS_AT_END * m.k, LAST_HEADING * m.k);
}

/** By how much a heading on the road is wider than its stop. */
export function stopHeading(m) {
  return Math.max(60 * m.k, LONGEST_STOP * m.k - m.road);
}

const HEADING = 62; // width of most headings
const NARROW_HEADING = 58;
const TAIL_HEADING = 64; // "After FFN" in DejaVu Sans Bold, the widest of the usual fonts
const FOLDED_HEADING = 128;
const SHORTEST_LINKS = 118;

/** Gaps between columns: at least so wide that their headings stand side by side. */
export function gapsOf(m) {
  return {
    qkv: Math.max(8, 44 * m.k - m.cell),
    joined: Math.max(10, NARROW_HEADING * m.k - m.cell),
    act: Math.max(14, 66 * m.k - 4 * m.unit),
    plus: Math.max(20, HEADING * m.k - m.cell), // from the plus signs to the next stop
    tail: Math.max(18, TAIL_HEADING * m.k - m.cell),
    fold: Math.max(12, FOLDED_HEADING * m.k - 2 * m.cell - 20), // before a plus sign
  };
}

/** Attention's links are at least so long that the three matrices below have room. */
export function shortestLinks(m, sequence) {
  const tags = (HEAD_TAG + WORD_TAG + 2 * MATRIX_GAP) * m.k;
  const gaps = gapsOf(m);
  const others = 7 * m.cell + 2 * gaps.qkv + 2 * gaps.joined + 18;
  return Math.max(SHORTEST_LINKS, tags + 3 * sequence * m.matrix.w - others);
}

/**
 * Width of each kind of part, and of what stands where the road
 * goes on from line to line: `turn` at the end, `carry` at the beginning.
 */
export function partWidths(m, sequence) {
  const gaps = gapsOf(m);
  const half = (m.road - m.cell) / 2; // a side column stands centred below its stop
  const toNext = m.cell + gaps.plus + m.road;
  const word = WORD.w * m.k + 12;
  const besideLinks = 5 * m.cell + 2 * gaps.qkv + 2 * gaps.joined;
  return {
    entrance: word + m.road + 12 + toNext,
    carry: word + m.road,
    attention: 18 - half + besideLinks + shortestLinks(m, sequence) + toNext,
    ffn: 20 - half + 8 * m.unit + gaps.act + 20 + toNext,
    folded: 2 * (gaps.fold + toNext),
    turn: stopHeading(m) + 2, // at the end of a line that is not the last
    end: 3 * gaps.tail + m.road + m.cell + lastColumn(m),
  };
}
