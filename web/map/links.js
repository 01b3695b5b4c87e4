/**
 * Attention as links: from the value of the word looked at to the output of the looking word.
 *
 * A link is as wide as its probability and as opaque; the links that arrive at one output lie
 * side by side, so together they fill its full width: probabilities sum to 1.
 */

/** Stroke patterns of heads, so that colour alone never tells them apart. "" is solid. */
const DASHES = ["", "9 5", "2 4", "12 4 2 4"];

/** The stroke pattern of head `head`. */
export function headDash(head) {
  return DASHES[head % DASHES.length];
}

/**
 * Width, opacity and ends of every link of one block.
 *
 * @param {object[]} anchors from the layout: {head, from, to, start: {x, y}, end: {x, y}, full}:
 *   `full` is the width of probability 1, in px; ends are the middles of value and output
 * @param {Array} probabilities attention_probs [H, T, T]
 * @param {boolean} downwards whether the road runs down (then widths lie along x)
 * @returns {{head, from, to, probability, width, opacity, visible, d}[]} a masked link
 *   (probability 0) is not visible
 */
export function linkShapes(anchors, probabilities, downwards) {
  return anchors.map((anchor) => {
    const row = probabilities[anchor.head][anchor.to].map((share) => share || 0); // 0 if hidden
    const probability = row[anchor.from];
    const width = probability * anchor.full;
    const before = row.slice(0, anchor.from).reduce((sum, share) => sum + share * anchor.full, 0);
    const shift = before + width / 2 - anchor.full / 2;
    const end = downwards
      ? { x: anchor.end.x + shift, y: anchor.end.y }
      : { x: anchor.end.x, y: anchor.end.y + shift };
    const { head, from, to } = anchor;
    const visible = probability > 0;
    const d = curve(anchor.start, end, downwards);
    return { head, from, to, probability, width, opacity: probability, visible, d };
  });
}

/** A cubic curve that leaves and arrives along the road. */
export function curve(start, end, downwards) {
  const bend = downwards ? (end.y - start.y) / 2 : (end.x - start.x) / 2;
  const first = downwards ? [start.x, start.y + bend] : [start.x + bend, start.y];
  const second = downwards ? [end.x, end.y - bend] : [end.x - bend, end.y];
  const points = [[start.x, start.y], first, second, [end.x, end.y]].map(
    ([x, y]) => `${round(x)} ${round(y)}`,
  );
  return `M${points[0]}C${points.slice(1).join(",")}`;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
