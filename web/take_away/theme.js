/** The colours a picture is painted in: those the page has at the moment, read from its style. */

import { resolved } from "./colours.js";

const NAMES = [
  "page", "surface", "raised", "line", "ink", "muted", "neg", "pos", "prob",
  "word-0", "word-1", "word-2", "word-3", "word-4",
];
/** As css/map.css has it for the map alone. */
const PANEL = "color-mix(in oklab, var(--mg-raised) 70%, var(--mg-surface))";

/** @returns {Record<string, string>} "--mg-ink" -> "#rrggbb" */
export function themeOf(element) {
  const style = window.getComputedStyle(element);
  return themeFrom((name) => style.getPropertyValue(name));
}

/** @param {(name: string) => string} read a variable's colour as written in css/base.css */
export function themeFrom(read) {
  const theme = Object.fromEntries(NAMES.map((name) => [`--mg-${name}`, resolved(read(`--mg-${name}`), {})]));
  return { ...theme, "--mg-map-panel": resolved(PANEL, theme) };
}
