/**
 * What css/map.css says of the map's SVG parts, as attributes: a file has no style sheet.
 *
 * Colours are written as in the style sheet; `--hue` is that of the word a part belongs to.
 */

import { wordColour } from "../colours.js";
import { resolved } from "./colours.js";

const HUE_INK = "color-mix(in oklab, var(--hue) 80%, var(--mg-ink))";
const WORD_TAG = { fill: HUE_INK, "font-weight": 600 };
const WITH_HALO = ["mg-map-line-back", "mg-map-line-leave"];

/** By class; `px` are multiplied with the board's factor `k`. */
const RULES = {
  "mg-map-panel": { fill: "var(--mg-map-panel)", stroke: "var(--mg-line)", "stroke-width": 1 },
  "mg-map-title": { fill: "var(--mg-ink)", px: 12.5, "font-weight": 650 },
  "mg-map-ribbon": { fill: "color-mix(in oklab, var(--hue) 15%, var(--mg-surface))" },
  "mg-map-road-name": { fill: "var(--mg-muted)", px: 14, "letter-spacing": "0.18em" },
  "mg-map-wire": { fill: "none", stroke: "var(--hue)", "stroke-linecap": "round" },
  "mg-map-halo": { fill: "none", stroke: "var(--mg-surface)", "stroke-width": 5, "stroke-opacity": 0.75 },
  "mg-map-tip": { fill: "var(--hue)" },
  "mg-map-tag": { fill: "var(--mg-muted)", px: 10.5 },
  "mg-map-tag-head": { fill: "var(--mg-ink)", px: 11.5, "font-weight": 650 },
  "mg-map-tag-next": WORD_TAG,
  "mg-map-tag-seen": WORD_TAG,
  "mg-map-tag-looker": WORD_TAG,
  "mg-map-band": { fill: "none", stroke: "color-mix(in oklab, var(--hue) 62%, var(--mg-map-panel))" },
  "mg-map-core": { fill: "none", stroke: "var(--hue)", "stroke-width": 1.25, "stroke-opacity": 0.75 },
};
/** What they are instead where a switch has turned them off. */
const OFF = {
  "mg-map-wire": { stroke: "var(--mg-muted)", "stroke-dasharray": "2 6", opacity: 0.7 },
  "mg-map-tip": { fill: "none", stroke: "var(--mg-muted)" },
  "mg-map-plus": { opacity: 0.45 },
  "mg-map-ribbon": { fill: "none", stroke: "var(--mg-muted)", "stroke-dasharray": "3 6", opacity: 0.7 },
  "mg-map-band": { stroke: "none" },
  "mg-map-core": { stroke: "var(--mg-muted)", "stroke-dasharray": "2 6" },
  "mg-map-tag": { "text-decoration": "line-through" },
};
const OFF_PLUS = { circle: { stroke: "var(--mg-muted)", "stroke-dasharray": "2 2" } };
const TURN = { stroke: "color-mix(in oklab, var(--hue) 55%, var(--mg-surface))", "stroke-width": 3 };
const PLUS = {
  circle: { fill: "var(--mg-surface)", stroke: "var(--hue)", "stroke-width": 1.75 },
  path: { fill: "none", stroke: "var(--mg-ink)", "stroke-width": 1.9, "stroke-linecap": "round" },
};

/**
 * Paint `element` and what it holds, and take away what only a page needs.
 *
 * @param {object} context `theme`, `k`, `wire` (a wire's width in px), `window` (word ids)
 */
export function paint(element, context, hue = "var(--mg-muted)") {
  if (isInvisible(element)) {
    element.remove();
    return;
  }
  const own = hueOf(element, context.window) ?? hue;
  const names = [...element.classList];
  const rules = names.map((name) => RULES[name] ?? {});
  const part = partOfPlus(element);
  const off = element.closest(".mg-map-off") ? [...names.map((name) => OFF[name] ?? {}), OFF_PLUS[part]] : [];
  give(element, Object.assign({}, ...rules, wireOf(element, context), PLUS[part], ...off), context, own);
  for (const child of [...element.children]) paint(child, context, own);
  for (const { name } of [...element.attributes]) {
    if (name === "style" || name.startsWith("data-") || name.startsWith("aria-")) element.removeAttribute(name);
  }
}

/** Set attributes; colours among them are resolved. */
export function give(element, attributes, { theme, k }, hue) {
  const variables = { ...theme, "--hue": hue };
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "px") element.setAttribute("font-size", rounded(value * k));
    else if (/^(var|color-mix)\(/.test(value)) element.setAttribute(name, resolved(value, variables));
    else element.setAttribute(name, value);
  }
}

/** What stands for a place to point at, or for nothing. */
function isInvisible(element) {
  if (element.classList.contains("mg-map-reach") || element.style.display === "none") return true;
  const line = element.classList.contains("mg-map-halo") && element.parentElement;
  return line && !WITH_HALO.some((name) => line.classList.contains(name));
}

function hueOf(element, window) {
  const own = element.style.getPropertyValue("--hue");
  if (own) return own;
  return element.dataset.hue === undefined ? null : wordColour(window[element.dataset.hue]);
}

function wireOf(element, { wire }) {
  if (!element.classList.contains("mg-map-wire")) return {};
  return element.parentElement.classList.contains("mg-map-line-turn") ? TURN : { "stroke-width": wire };
}

function partOfPlus(element) {
  return element.parentElement?.classList.contains("mg-map-plus") ? element.localName : null;
}

export function rounded(value) {
  return Math.round(value * 100) / 100;
}
