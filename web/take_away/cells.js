/** The values of one stage of the map as a picture: its heading, and each cell with its number. */

import { probabilityColour, valueColour } from "../colours.js";
import { svg } from "../dom.js";
import { headingOf, isChanged } from "../map/names.js";
import { digitsOf, fitting } from "../map/stage_view.js";
import { positionOf, valueAt } from "../map/stages.js";
import { lightness } from "./colours.js";
import { give } from "./paint.js";
import { textWidth, wrapped } from "./text.js";

const TURNS = { value: 0.5662, probability: 0.555 }; // black or white, as css/map.css
const LINE = 1.4; // height of a heading's line, of its size
const SMALLEST_RULED = 6; // px: a lower cell has no line around it

/** @param {object} context `theme`, `k`, `view`, `scale`, `sizes`, `indexOf`, `t` */
export function stagePicture(stage, context) {
  return svg(
    "g",
    {},
    heading(stage, context),
    hueBars(stage, context),
    stage.cells.map((cell) => cellPicture(cell, stage, context)),
  );
}

function heading(stage, context) {
  const { t, k, sizes } = context;
  const { x, y, w } = stage.label;
  const name = headingOf(stage, t);
  const terms = sizes.isTight ? [] : wrapped(stage.name, w, 10 * k, /(?<=_)/);
  const width = Math.max(textWidth(name, 12 * k, true), ...terms.map((term) => textWidth(term, 10 * k)));
  const back = svg("rect", { x: x - 3, y, width: width + 6, height: (12 + 10 * terms.length) * LINE * k + 2, rx: 4 });
  give(back, { fill: stage.place === "side" ? "var(--mg-map-panel)" : "var(--mg-page)" }, context);
  const title = svg("text", { x, y: y + 13.5 * k }, name);
  const struck = isNamedOff(stage, context) ? { "text-decoration": "line-through" } : {};
  give(title, { fill: "var(--mg-ink)", px: 12, "font-weight": 600, ...struck }, context);
  const lines = terms.map((term, line) => {
    const text = svg("text", { x, y: y + (12 * LINE + 11 + 10 * LINE * line) * k }, term);
    give(text, { fill: "var(--mg-muted)", px: 10, ...struck }, context);
    return text;
  });
  return [back, title, ...lines];
}

/** Whether a switch has turned these values off, made them pass, or is named after them. */
function isNamedOff({ key, name }, { off }) {
  return off.off.has(key) || off.through.has(key) || off.named.has(name);
}

/** Whether the numbers of a cell go nowhere: all of its values', or its head's. */
function isCutOff(stage, index, { off }) {
  const head = stage.shape.length === 3 ? index[0] : null;
  return off.off.has(stage.key) || off.rows.has(`${stage.key}/${head}`);
}

/** A bar in its word's hue left of each of a word's columns. */
function hueBars(stage, context) {
  if (stage.kind === "matrix" || context.sizes.row <= 3) return null;
  const rows = new Map();
  for (const cell of stage.cells) {
    const key = cell.index.slice(0, stage.shape.length - 1).join();
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()].map((cells) => {
    const [first, last] = [cells[0], cells.at(-1)];
    const bar = svg("rect", { x: first.x - 4, y: first.y, width: 2.5, height: last.y + last.h - first.y, rx: 1 });
    give(bar, { fill: "var(--hue)" }, context, context.hueOf(positionOf(stage.kind, first.index)));
    return bar;
  });
}

function cellPicture(cell, stage, context) {
  const { view, sizes } = context;
  const { x, y, w, h } = cell;
  const index = context.indexOf(cell);
  const value = valueAt(view.trace[stage.key], index);
  const rect = svg("rect", { x, y, width: w, height: h });
  const isOff = isCutOff(stage, index, context);
  const fill = fillOf(stage, value, context);
  const shown = isOff ? `color-mix(in oklab, var(--mg-map-panel) 78%, ${fill})` : fill;
  give(rect, { fill: shown, ...ruleOf(value, sizes), ...offRule(stage, isOff, context) }, context);
  const mark = isChanged(stage, index, value, view) ? markOf(cell, context) : null;
  if (stage.digits) return [rect, digits(cell, stage, value, { rect, isOff, context }), mark];
  rect.append(svg("title", {}, fitting(value))); // too small to be written in
  return [rect, mark];
}

function fillOf(stage, value, { scale }) {
  if (value === null) return "var(--mg-map-panel)";
  return stage.isProbability ? probabilityColour(value) : valueColour(value, scale);
}

function ruleOf(value, { row }) {
  if (value === null) return { stroke: "var(--mg-line)", "stroke-width": 1 };
  return row < SMALLEST_RULED ? {} : { stroke: "var(--mg-map-panel)", "stroke-width": 1 };
}

/** Around a cell whose part is off, or that hands on what it is given. */
function offRule({ key }, isOff, { off }) {
  if (!isOff && !off.through.has(key)) return {};
  return { stroke: "var(--mg-muted)", "stroke-width": isOff ? 0.75 : 1, "stroke-dasharray": "2 3" };
}

function digits(cell, stage, value, { rect, isOff, context }) {
  const isDark = lightness(rect.getAttribute("fill")) < TURNS[stage.isProbability ? "probability" : "value"];
  const text = svg("text", digitsOf(cell, context.sizes), fitting(value));
  give(text, { fill: isOff ? "var(--mg-muted)" : isDark ? "#ffffff" : "#000000" }, context);
  return text;
}

function markOf({ x, y, w, h }, context) {
  const size = Math.min(7, w / 2, h);
  const mark = svg("path", { d: `M${x + w} ${y}v${size}l${-size} ${-size}z` });
  give(mark, { fill: "var(--mg-ink)", stroke: "var(--mg-surface)", "stroke-width": 1 }, context);
  return mark;
}
