/**
 * A stage with many cells on the map: one picture of all its numbers. A cell that one points at,
 * moves to or chooses has its number, its name and its ring as any other; the grid has an element
 * for two of them, so that the focus can move from one to the next.
 */

import { el, setAttribute, svg } from "../dom.js";
import { numbersOf } from "../trace_bytes.js";
import { cellName, cellPlace } from "./names.js";
import { groupRows, hasHues, hueBar, rowOf, stageParts } from "./stage_parts.js";
import { valueAt } from "./stages.js";
import { themeColours } from "./theme_colours.js";

const FAINT = { dim: 0.13, off: 0.22 }; // as css/map.css
const SMALLEST_RULED = 6; // px: a lower cell has no gap around it
const MARK = 2; // px of ink at the longer end of a cell that the changes changed, a quarter of it at most

export function createStripView(stage, board, app) {
  const cells = stage.cells.map((cell, number) => ({ ...cell, number, current: cell.index }));
  const rows = groupRows(stage, cells).map((members) => createRow(stage, members, () => paintSoon()));
  const picture = createPicture(stage, cells);
  const spots = [0, 1].map(() => createSpot());
  const bars = hasHues(stage, board.sizes) ? hueBars(stage, rows) : null;
  const grid = createGrid(stage, rows.length, [picture.element, bars, spots.map(({ row }) => row)]);
  let latest = null; // {view, context}
  let chosen = null;
  let isEmpty = null; // of a film
  let isWaiting = false;

  function paint() {
    isWaiting = false;
    if (latest) picture.paint(latest.view, latest.context, rows, isEmpty);
  }

  /** Once for all rows that change together. */
  function paintSoon() {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => isWaiting && paint());
  }

  function nameSpot(spot) {
    const { view } = latest;
    const cell = cells[spot.number];
    const row = rows.find(({ members }) => members.includes(cell));
    const value = valueAt(view.trace[stage.key], cell.current);
    const before = view.baseline ? valueAt(view.baseline[stage.key], cell.current) : value;
    const isChanged = !Number.isNaN(value) && before !== value;
    setAttribute(spot.element, "aria-label", cellName(cellPlace(stage, cell.current, view, app.t), value, isChanged, app.t));
    setAttribute(spot.element, "aria-selected", String(cell === chosen));
    setAttribute(spot.element, "aria-colindex", String(row.members.indexOf(cell) + 1));
    setAttribute(spot.row, "aria-rowindex", String(rows.indexOf(row) + 1));
    row.nameOn(spot.row, view, app.t);
  }

  return {
    ...stageParts(stage, { rows, cells, grid }, board, app),
    update(state, view, context) {
      latest = { view, context };
      this.name();
      if (stage.kind === "words") for (const cell of cells) cell.current = context.indexOf(cell);
      paint();
      for (const spot of spots) if (spot.number !== null) nameSpot(spot);
    },
    repaint: paint,
    /** The element of a cell, which it gets now if it has none. */
    elementAt(number) {
      const own = spots.find((spot) => spot.number === number);
      if (own) return own.element;
      const spot = spareOf(spots);
      spot.put(cells[number], stage.box);
      if (latest) nameSpot(spot);
      return spot.element;
    },
    /** The cell's number that an element stands for, or -1. */
    numberOf: (target) => spots.find((spot) => spot.element === target)?.number ?? -1,
    /** The cell at a point of the screen, or the nearest one. */
    cellUnder({ clientX, clientY }) {
      const { left, top } = grid.getBoundingClientRect();
      return nearest(cells, clientX - left + stage.box.x, clientY - top + stage.box.y);
    },
    markOf: (cell) => onScreen(cell, stage.box, grid.getBoundingClientRect()),
    choose(cell) {
      chosen = cell;
      for (const spot of spots) if (spot.number !== null && latest) nameSpot(spot);
    },
    /** Hide the cells that a film has not reached; null hides none. */
    hideCells(test) {
      if (test === null && isEmpty === null) return;
      isEmpty = test;
      paint();
    },
    coloured: () => new Map(),
  };
}

function createGrid({ box, shape }, rows, children) {
  const { x, y, w, h } = box;
  return el(
    "div",
    {
      class: "mg-map-cells mg-map-strip",
      role: "grid",
      "aria-rowcount": rows,
      "aria-colcount": shape.at(-1),
      style: { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` },
    },
    children,
  );
}

/** An element that may stand for another cell: never the focused one, if it can be none in the tab order. */
function spareOf(spots) {
  const free = spots.filter(({ element }) => element !== document.activeElement);
  return free.find(({ number }) => number === null) ?? free.find(({ element }) => element.tabIndex < 0) ?? free[0];
}

/** Where a cell lies on the screen. */
function onScreen({ x, y, w, h }, box, { left, top }) {
  const [from, above] = [left + x - box.x, top + y - box.y];
  return { left: from, top: above, right: from + w, bottom: above + h, width: w, height: h };
}

function nearest(cells, x, y) {
  const far = (at, from, size) => Math.max(from - at, at - from - size, 0);
  let best = null;
  let shortest = Infinity;
  for (const cell of cells) {
    const distance = far(x, cell.x, cell.w) + far(y, cell.y, cell.h);
    if (distance >= shortest) continue;
    if (distance === 0) return cell;
    [best, shortest] = [cell, distance];
  }
  return best;
}

function createRow(stage, members, onChange) {
  const { position, head, nameOn } = rowOf(stage, members);
  const row = {
    members,
    position,
    head,
    nameOn: (element, view, t) => nameOn(element, view, t, row.isOff),
    isOff: false, // see switched_off.js
    isDim: false,
    setDim: (isDim) => set("isDim", isDim),
    setOff: (isOff) => set("isOff", isOff),
  };
  function set(what, is) {
    if (row[what] === is) return;
    row[what] = is;
    onChange();
  }
  return row;
}

function hueBars({ box }, rows) {
  return svg(
    "svg",
    { class: "mg-map-hues", width: box.w, height: box.h, viewBox: `${box.x} ${box.y} ${box.w} ${box.h}`, "aria-hidden": "true" },
    rows.map(({ members, position }) => hueBar(members, position)),
  );
}

/** An element that stands for one cell at a time. */
function createSpot() {
  const element = el("div", { class: "mg-map-cell mg-map-spot", role: "gridcell", tabindex: -1 });
  const spot = {
    element,
    row: el("div", { role: "row" }, element),
    number: null,
    put({ number, x, y, w, h }, box) {
      spot.number = number;
      Object.assign(element.style, { left: `${x - box.x}px`, top: `${y - box.y}px`, width: `${w}px`, height: `${h}px` });
    },
  };
  return spot;
}

/* ---- the picture ---- */

function createPicture(stage, cells) {
  const { box } = stage;
  const [width, height] = [Math.ceil(box.w), Math.ceil(box.h)];
  const element = el("canvas", { class: "mg-map-picture", width, height, "aria-hidden": "true" });
  const boxes = cells.map((cell) => pixelsOf(cell, box));
  const owners = new Map(); // a cell's number -> its row
  const strides = stage.shape.map((_, axis) => stage.shape.slice(axis + 1).reduce((all, each) => all * each, 1));
  const placeOf = ({ current }) => current.reduce((sum, each, axis) => sum + each * strides[axis], 0);
  let brush = null;

  return {
    element,
    paint(view, { scale }, rows, isEmpty) {
      brush ??= element.getContext("2d");
      if (!brush) return;
      for (const row of owners.size ? [] : rows) for (const { number } of row.members) owners.set(number, row);
      const numbers = numbersOf(view.trace, stage.key);
      const before = view.baseline && numbersOf(view.baseline, stage.key);
      const colours = themeColours(element);
      const image = brush.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      for (const cell of cells) {
        if (isEmpty?.(cell)) continue;
        const place = placeOf(cell);
        const number = numbers[place];
        const pixel = faint(colourOf(stage, number, scale, colours), owners.get(cell.number));
        fill(pixels, width, boxes[cell.number], pixel);
        const isChanged = before && !Number.isNaN(number) && before[place] !== number;
        if (isChanged) fill(pixels, width, endOf(boxes[cell.number]), colours.ink);
      }
      brush.putImageData(image, 0, 0);
    },
  };
}

function colourOf({ isProbability }, number, scale, colours) {
  if (number === null || number === -Infinity) return colours.panel;
  if (isProbability) return colours.probability(number);
  return colours.value(number / scale);
}

function faint(pixel, { isDim, isOff }) {
  if (!isDim && !isOff) return pixel;
  const share = isDim ? FAINT.dim : FAINT.off;
  return ((pixel & 0xffffff) | (Math.round(share * 255) << 24)) >>> 0;
}

/** A cell's pixels, {left, right, top, bottom}; high ones stand apart by one. */
function pixelsOf({ x, y, w, h }, box) {
  const gap = Math.min(w, h) >= SMALLEST_RULED ? 1 : 0;
  const [left, top] = [Math.round(x - box.x), Math.round(y - box.y)];
  const [right, bottom] = [Math.round(x + w - box.x), Math.round(y + h - box.y)];
  return { left, top, right: Math.max(right - gap, left + 1), bottom: Math.max(bottom - gap, top + 1) };
}

/** The end of a cell's longer side, which leaves its colour to be seen however narrow it is. */
export function endOf({ left, right, top, bottom }) {
  const mark = (length) => Math.max(1, Math.min(MARK, Math.floor(length / 4)));
  if (bottom - top >= right - left) return { left, right, top: bottom - mark(bottom - top), bottom };
  return { left: right - mark(right - left), right, top, bottom };
}

function fill(pixels, width, { left, right, top, bottom }, pixel) {
  for (let y = top; y < bottom; y += 1) pixels.fill(pixel, y * width + left, y * width + Math.min(right, width));
}
