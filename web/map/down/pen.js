/**
 * The pen that lays the road downwards: lanes are columns, the side road runs on the right.
 *
 * It keeps its height (`y`), the left edges of road and side road (`road`, `side`), the right
 * edge (`right`), the stage whose values the road carries and where that stretch began (`from`).
 */

import { settle, stageNamed, wire } from "../board.js";
import { headCells, unitCells, vectorCells, wordCells } from "../place.js";

export const PAD = 4;
export const BETWEEN = 40; // between the road and the side road
export const LABEL = 44; // a heading, high enough for a finger
export const TITLE = 24;
export const NARROWEST_ROAD = 104; // so that a heading fits beside the panel
const ROW_GAP = 6;
const NARROWEST_HEADING = 38;
const PANEL_MARGIN = 34; // left of the side road: wires, and the looking words
const MIN_DIGITS = 42;
const MIN_WORD_ROW = 12;

/* ---- lanes ---- */

export function laneLeft(pen, from, t) {
  return from + t * (pen.m.cell + pen.gap);
}

export function laneMiddle(pen, from, t) {
  return laneLeft(pen, from, t) + pen.m.cell / 2;
}

export function lanesWidth({ board, m, gap }) {
  return board.sequence * m.cell + (board.sequence - 1) * gap;
}

function corner(pen, from, y) {
  return (t) => ({ x: laneLeft(pen, from, t), y });
}

function inBundle({ board, m }, t) {
  const step = Math.min(m.bundle, (m.vector - 8) / board.sequence);
  return (t - (board.sequence - 1) / 2) * step;
}

/** The road of every lane down to `y`, carrying what it carries. */
export function ribbonsTo(pen, y) {
  const { board, m } = pen;
  const margin = Math.min(4, pen.gap / 2);
  for (let t = 0; t < board.sequence; t += 1) {
    board.ribbons.push({
      position: t,
      carries: pen.carries,
      line: 0,
      x: laneLeft(pen, pen.road, t) - margin,
      y: pen.from,
      w: m.cell + 2 * margin,
      h: y - pen.from,
    });
  }
  pen.from = y;
}

/* ---- rows ---- */

/** On to the row below one of this height. */
export function nextRow(pen, height = pen.m.vector) {
  pen.y += LABEL + height + ROW_GAP;
}

/** A stop on the road, at the pen's row. */
export function stop(pen, name, block) {
  const { board, m } = pen;
  const stage = settle(board, name, block, {
    cells: vectorCells(stageNamed(board, name, block), corner(pen, pen.road, pen.y + LABEL), {
      w: m.cell,
      h: m.row,
    }),
    label: { x: pen.road - 4, y: pen.y, w: pen.side - BETWEEN - pen.road + 12, h: LABEL },
    digits: m.digits.road,
    place: "road",
  });
  pen.carries = stage.key;
}

/** A tensor beside the road, at the pen's row. */
export function beside(pen, name, block) {
  const { board, m } = pen;
  const stage = stageNamed(board, name, block);
  const at = corner(pen, pen.side, pen.y + LABEL);
  const make = {
    vector: () => vectorCells(stage, at, { w: m.cell, h: m.row }),
    heads: () => headCells(stage, at, { w: m.cell, h: m.row, gap: m.headGap }),
    units: () => unitCells(stage, at, { w: m.unit, h: m.row, rows: board.config.model_dim }),
  };
  const label = { x: pen.side, y: pen.y, w: pen.right - pen.side, h: LABEL };
  settle(board, name, block, {
    cells: make[stage.kind](),
    label: name === "head_outputs" ? clearOfLinks(pen, label) : label,
    digits: stage.kind === "units" ? m.digits.unit : m.digits.side,
    place: "side",
  });
}

/** The heading of the outputs stands right of them, where it fits: links end above them. */
function clearOfLinks(pen, label) {
  const x = pen.side + lanesWidth(pen) + 5;
  const w = pen.right - x;
  return w < NARROWEST_HEADING ? label : { x, y: pen.y + LABEL, w, h: LABEL, wraps: true };
}

/** Tensors below one another, each wired to the next. */
export function rowsBelow(pen, names, block) {
  const { board, m } = pen;
  names.forEach((name, place) => {
    if (place > 0) {
      const from = pen.bottom;
      nextRow(pen, from - pen.y - LABEL);
      down(pen, stageNamed(board, names[place - 1], block).key, from, pen.y + LABEL);
    }
    beside(pen, name, block);
    const isSplit = stageNamed(board, name, block).kind === "heads";
    pen.bottom = pen.y + LABEL + (isSplit ? m.laneHeight : m.vector);
  });
}

/** One column per position with one cell per word. */
export function wordRows(pen, name, from, height) {
  const { board, m } = pen;
  settle(board, name, null, {
    cells: wordCells(stageNamed(board, name), corner(pen, from, pen.y + LABEL), {
      w: m.cell,
      height,
      slots: m.slots,
    }),
    label: {
      x: from === pen.road ? from - 4 : from,
      y: pen.y,
      w: from === pen.road ? NARROWEST_ROAD : pen.right - from,
      h: LABEL,
    },
    digits: m.cell >= MIN_DIGITS && height / m.slots >= MIN_WORD_ROW,
    place: "road",
  });
}

/** A panel of the side road from `top` down to the pen. */
export function panel(pen, kind, block, top) {
  const x = pen.side - PANEL_MARGIN;
  pen.board.panels.push({
    kind,
    block,
    x,
    y: top,
    w: pen.right - x,
    h: pen.y - top,
    titleX: x + 10,
    titleY: top + 17,
  });
}

/* ---- wires ---- */

export function addLine(pen, kind, position, carries, d, tip = null) {
  pen.board.lines.push({ kind, position, carries, d, tip });
}

/** Wires from the stop at this row to the vector beside it. */
export function leave(pen) {
  const middle = pen.y + LABEL + pen.m.vector / 2;
  for (let t = 0; t < pen.board.sequence; t += 1) {
    const y = middle + inBundle(pen, t);
    const from = laneLeft(pen, pen.road, t) + pen.m.cell;
    const to = laneLeft(pen, pen.side, t) - 2;
    const tip = { x: to - 2, y, turn: 0 };
    addLine(pen, "leave", t, pen.carries, wire([[from, y], [to - 3, y]]), tip);
  }
}

/** Wires from this row's vector to plus signs on the road; the ribbons end there. */
export function comeBack(pen, name, block, fromPanel = false) {
  const { board, m } = pen;
  const { key } = stageNamed(board, name, block);
  const middle = pen.y + LABEL + m.vector / 2;
  ribbonsTo(pen, middle);
  for (let t = 0; t < board.sequence; t += 1) {
    const y = middle + inBundle(pen, t);
    const x = laneMiddle(pen, pen.road, t);
    const r = Math.min(m.plus, m.cell / 2 - 1);
    const from = fromPanel ? pen.side - PANEL_MARGIN : laneLeft(pen, pen.side, t);
    addLine(pen, "back", t, key, wire([[from, y], [x + r + 2, y]]));
    board.pluses.push({ x, y, r, position: t, adds: key });
  }
}

/** Wires down each lane of the side road. */
export function down(pen, carries, from, to) {
  for (let t = 0; t < pen.board.sequence; t += 1) {
    const x = laneMiddle(pen, pen.side, t);
    const tip = { x, y: to - 1, turn: 90 };
    addLine(pen, "along", t, carries, wire([[x, from + 2], [x, to - 3]]), tip);
  }
}
