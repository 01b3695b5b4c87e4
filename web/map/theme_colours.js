/** The map's scales as the pixels of a canvas, in the colours that the page has at the moment. */

import { probabilityColour, valueColour } from "../colours.js";
import { resolved } from "../take_away/colours.js";
import { themeOf } from "../take_away/theme.js";

const STEPS = 1000; // as fine as the colours of cells, which are rounded to a thousandth
const OPAQUE = 0xff000000;
let kept = null; // {id, colours} of the colours that were read last

/**
 * Read from the style of `element`. Pixels are numbers as in a Uint32Array over ImageData.
 *
 * @returns {{value: (share: number) => number, probability: (share: number) => number,
 *   ink: number, panel: number}} `value`: of −1 to 1
 */
export function themeColours(element) {
  const theme = themeOf(element);
  const id = JSON.stringify(theme);
  if (kept?.id !== id) kept = { id, colours: coloursFrom(theme) };
  return kept.colours;
}

/** @param {Record<string, string>} theme "--mg-ink" -> "#rrggbb" */
export function coloursFrom(theme) {
  const pixelOf = (colour) => pixel(resolved(colour, theme));
  const scale = (colourOf) => Uint32Array.from({ length: STEPS + 1 }, (_, step) => pixelOf(colourOf(step / STEPS)));
  const [above, below] = [scale((share) => valueColour(share, 1)), scale((share) => valueColour(-share, 1))];
  const probable = scale(probabilityColour);
  const place = (share) => Math.round(Math.min(Math.abs(share), 1) * STEPS);
  return {
    value: (share) => (share < 0 ? below[place(share)] : above[place(share) || 0]),
    probability: (share) => probable[place(share) || 0],
    ink: pixelOf("var(--mg-ink)"),
    panel: pixelOf("var(--mg-map-panel)"),
  };
}

/** Calls `onChange` when the page changes between light and dark. */
export function watchTheme(onChange) {
  if (typeof MutationObserver !== "function") return;
  let isDark = document.body.classList.contains("dark");
  new MutationObserver(() => {
    const now = document.body.classList.contains("dark");
    if (now === isDark) return;
    isDark = now;
    onChange();
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}

/** "#rrggbb" as a little-endian pixel. */
function pixel(colour) {
  const number = Number.parseInt(colour.slice(1), 16);
  const [red, green, blue] = [number >> 16, (number >> 8) & 255, number & 255];
  return (OPAQUE | (blue << 16) | (green << 8) | red) >>> 0;
}
