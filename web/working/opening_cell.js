/** The cell that a value opens with: of the last word, the one that decides most. */

/**
 * @param {{axes: string[]}} value
 * @param {number[]} shape its sizes for the present window
 * @param {Array|undefined} numbers nested lists; null is a masked score
 * @returns {number[]}
 */
export function openingCell({ axes }, shape, numbers) {
  const masked = numbers && axes.join("") === "HTT" ? firstMasked(numbers) : null;
  if (masked) return masked;
  const looker = axes.indexOf("T");
  const place = shape.slice(0, -1).map((size, axis) => (axis === looker ? size - 1 : 0));
  if (axes.length === 1 && looker === 0) return [shape[0] - 1];
  const row = place.reduce((part, index) => part?.[index], numbers);
  const weigh = axes.at(-1) === "V" ? Number : Math.abs; // of words, the most probable one
  return [...place, Array.isArray(row) ? largest(row, weigh) : 0];
}

/** The first score that the mask hides, if this is a matrix of them. */
function firstMasked(heads) {
  for (const [row, scores] of heads[0].entries()) {
    const at = scores.indexOf(null);
    if (at >= 0) return [0, row, at];
  }
  return null;
}

/** Where the number stands that weighs most; a hidden one weighs nothing. */
function largest(row, weigh) {
  const sizes = row.map((number) => weigh(number) || 0);
  return sizes.indexOf(Math.max(...sizes));
}
