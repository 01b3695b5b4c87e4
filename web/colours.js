/**
 * Colours of values, as CSS strings made from the variables in css/base.css, so that light and
 * dark themes, and a change between them, need no second drawing.
 */

const FULL = 100;

/**
 * The diverging scale for signed values: blue below zero, orange above, the surface at zero.
 *
 * @param {number|null} value null (a masked score) has no colour
 * @param {number} scale the absolute value that gets the full colour
 */
export function valueColour(value, scale) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "var(--mg-surface)";
  }
  const strength = scale > 0 ? Math.min(Math.abs(value) / scale, 1) : 0;
  const end = value < 0 ? "var(--mg-neg)" : "var(--mg-pos)";
  return mix(end, strength);
}

/** The sequential scale for probabilities, 0 to 1. */
export function probabilityColour(probability) {
  const share = Number.isFinite(probability) ? Math.min(Math.max(probability, 0), 1) : 0;
  return mix("var(--mg-prob)", share);
}

/** The hue a word keeps in chips, rows and bars. */
export function wordColour(id) {
  return `var(--mg-word-${id % 5})`;
}

function mix(end, share) {
  const percent = Math.round(share * FULL * 10) / 10;
  return `color-mix(in oklab, ${end} ${percent}%, var(--mg-surface))`;
}
