/** A stage on the map with an element for each cell; with very many, see strip_view.js. */

import { probabilityColour, valueColour } from "../colours.js";
import { setAttribute, setText, svg } from "../dom.js";
import { number, numberOrMark } from "../format.js";
import { cellName, cellPlace, isChanged } from "./names.js";
import { groupRows, hasHues, hueBar, rowOf, stageParts } from "./stage_parts.js";
import { valueAt } from "./stages.js";

const MARGIN = 5; // room around the cells for outlines, in px
const DIGITS_EM = 3.64; // width of "−0.1500" in Arial, in em
const HALF_DIGIT = 0.36; // half a digit's height, in em
const MOST_CHARACTERS = 7; // "−0.1500"

export function createStageView(stage, board, app) {
  const cells = stage.cells.map((cell) => createCell(cell, stage, board.sizes));
  const rows = groupRows(stage, cells).map((members) => createRow(stage, members, board.sizes));
  const grid = cells.length ? createGrid(stage.box, rows) : null;
  return {
    ...stageParts(stage, { rows, cells, grid }, board, app),
    update(state, view, context) {
      this.name();
      for (const row of rows) row.update(view, app.t);
      for (const cell of cells) paintCell(cell, stage, view, context, app.t);
    },
    repaint() {}, // colours are the style sheet's
    elementAt: (place) => cells[place].element,
    numberOf: (target) => cells.findIndex((cell) => cell.element === target),
    choose(chosen) {
      for (const cell of cells) {
        const isChosen = cell === chosen;
        if (cell.chosen === isChosen) continue;
        cell.chosen = isChosen;
        cell.element.classList.toggle("mg-map-chosen", isChosen);
        setAttribute(cell.element, "aria-selected", String(isChosen));
      }
    },
    /** Hide the cells that a film has not reached; null hides none. */
    hideCells(test) {
      for (const cell of cells) {
        const isEmpty = test !== null && test(cell);
        if (Boolean(cell.isEmpty) !== isEmpty) cell.element.classList.toggle("mg-film-empty", isEmpty);
        cell.isEmpty = isEmpty;
      }
    },
    /** Each cell's colour by its index. */
    coloured: () => new Map(cells.map((cell) => [`${cell.index}`, cell.element.style.getPropertyValue("--cell")])),
  };
}

function createGrid({ x, y, w, h }, rows) {
  const [left, top, width, height] = [x - MARGIN, y - MARGIN, w + 2 * MARGIN, h + 2 * MARGIN];
  return svg(
    "svg",
    {
      class: "mg-map-cells",
      role: "grid",
      width,
      height,
      viewBox: `${left} ${top} ${width} ${height}`,
      style: { left: `${left}px`, top: `${top}px` },
    },
    rows.map((row) => row.element),
  );
}

function createCell(cell, stage, sizes) {
  const { x, y, w, h } = cell;
  const rect = svg("rect", { x, y, width: w, height: h, class: "mg-map-rect" });
  const text = stage.digits ? svg("text", { class: "mg-map-digits", ...digitsOf(cell, sizes) }) : null;
  const element = svg("g", { class: "mg-map-cell", role: "gridcell", tabindex: -1 }, rect, text);
  return { ...cell, element, rect, text, value: undefined, changed: false, mark: null };
}

/** Size and place of the digits in a cell, as attributes. */
export function digitsOf({ x, y, w, h }, sizes) {
  const font = Math.min(sizes.font, (w - 3) / DIGITS_EM);
  return {
    "font-size": font,
    x: x + w - (w - font * DIGITS_EM) / 2,
    y: y + h / 2 + font * HALF_DIGIT,
    "text-anchor": "end",
  };
}

function createRow(stage, members, sizes) {
  const { position, head, nameOn } = rowOf(stage, members);
  const element = svg(
    "g",
    { class: "mg-map-row", role: "row", dataset: { position } },
    members.map((cell) => cell.element),
  );
  if (hasHues(stage, sizes)) element.prepend(hueBar(members, position));
  return {
    element,
    position,
    head,
    isOff: false, // see switched_off.js
    setDim: (isDim) => element.classList.toggle("mg-map-dim", isDim),
    setOff(isOff) {
      this.isOff = isOff;
      element.classList.toggle("mg-map-off", isOff);
    },
    update(view, t) {
      nameOn(element, view, t, this.isOff);
    },
  };
}

/** Update one cell; only what changed is written to the DOM. */
function paintCell(cell, stage, view, context, t) {
  const index = context.indexOf(cell);
  const value = valueAt(view.trace[stage.key], index);
  const changed = isChanged(stage, index, value, view);
  nameCell(cell, stage, { index, value, changed, view, context, t });
  if (cell.value !== value || cell.scale !== context.scale) {
    cell.element.style.setProperty("--cell", colourOf(stage, value, context.scale));
    if (cell.text) setText(cell.text, fitting(value));
    if ((cell.value === null) !== (value === null)) {
      cell.element.classList.toggle("mg-map-masked", value === null);
    }
    cell.value = value;
    cell.scale = context.scale;
  }
  if (cell.changed !== changed) markChange(cell, changed);
}

/** The accessible name; its first half stays as long as words and language do. */
function nameCell(cell, stage, { index, value, changed, view, context, t }) {
  const isPlaced = cell.naming === context.naming && `${cell.current}` === `${index}`;
  if (isPlaced && cell.value === value && cell.changed === changed) return;
  if (!isPlaced) {
    cell.place = cellPlace(stage, index, view, t);
    cell.naming = context.naming;
    cell.current = index;
  }
  setAttribute(cell.element, "aria-label", cellName(cell.place, value, changed, t));
}

function colourOf(stage, value, scale) {
  if (stage.isProbability) return probabilityColour(value);
  return valueColour(value, scale);
}

/** Four decimals, or as many as seven characters hold. */
export function fitting(value) {
  if (Number.isNaN(value)) return numberOrMark(value);
  for (let decimals = 4; decimals > 0; decimals -= 1) {
    const text = number(value, decimals);
    if (text.length <= MOST_CHARACTERS) return text;
  }
  return number(value, 0);
}

/** A triangle in the corner of a cell that differs from the baseline. */
function markChange(cell, changed) {
  cell.changed = changed;
  cell.element.classList.toggle("mg-map-changed", changed);
  if (changed) {
    const size = Math.min(7, cell.w / 2, cell.h);
    const d = `M${cell.x + cell.w} ${cell.y}v${size}l${-size} ${-size}z`;
    cell.mark = svg("path", { class: "mg-map-mark", d });
    cell.element.append(cell.mark);
  } else {
    cell.mark.remove();
  }
}
