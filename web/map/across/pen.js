/**
 * The pen that lays the road from left to right: lanes, stops, side columns and wires.
 *
 * It keeps where it is (`x`), the rows of the present line (`rows`), the stage whose values the
 * road carries, and where the ribbons of that stretch began (`from`).
 */

import { settle, stageNamed, wire } from "../board.js";
import { headCells, unitCells, vectorCells } from "../place.js";
import { PAD, stopHeading, WORD } from "./widths.js";

const TITLE = 26; // a panel's title
const LINE_GAP = 40;
export const MATRIX_BELOW = 12; // below each head's matrices
const STRAND = 4;
const LYING_STRAND = 1.5;

export function createPen(board, links) {
  const { sizes } = board;
  return { board, m: sizes, links, x: PAD, rows: null, from: PAD, carries: null, line: -1 };
}

/* ---- lanes ---- */

export function laneTop({ m }, from, t) {
  return from + t * (m.laneHeight + m.laneGap) + m.laneGap / 2;
}

export function laneMiddle(pen, from, t) {
  return laneTop(pen, from, t) + pen.m.laneHeight / 2;
}

/** Height of all lanes. */
export function lanesHeight({ board, m }) {
  return board.sequence * (m.laneHeight + m.laneGap);
}

/** Upper left corners of each position's vector at `x`, on the lanes that begin at `from`. */
function corner(pen, from, x, height) {
  return (t) => ({ x, y: laneMiddle(pen, from, t) - height / 2 });
}

/** Each lane's wire has its own place in a bundle. */
function inBundle({ board, m }, t) {
  return (t - (board.sequence - 1) / 2) * m.bundle;
}

/* ---- lines ---- */

/** Where the rows of a line of `parts` lie that begins at `top`. */
export function rowsOf({ config, sequence }, m, top, parts) {
  const lanes = sequence * (m.laneHeight + m.laneGap);
  const road = top + m.label + 6;
  const panels = road + lanes + (m.isTight ? 8 : 14);
  const side = panels + TITLE * m.k + m.label + 4;
  const below = side + lanes;
  const matrixLabel = below + (m.isTight ? 12 : 16);
  const matrix = matrixLabel + m.matrixLabel + 16 * m.k + 2;
  const heads = config.num_heads * (sequence * m.matrix.h + MATRIX_BELOW);
  const has = (...kinds) => parts.some((part) => kinds.includes(part.kind));
  let bottom = panels;
  if (has("entrance", "ffn")) bottom = below + 6;
  if (has("attention")) bottom = matrix + heads + 4;
  return { top, road, panel: panels, side, below, matrixLabel, matrix, bottom };
}

/** Between the lanes' wires where the road turns to the next line. */
function strand(lies) {
  return lies ? LYING_STRAND : STRAND;
}

/** From the top of a line whose rows are `rows` to that of the next. */
export function nextTop(rows, sequence, { lies }) {
  return rows.bottom + LINE_GAP + sequence * strand(lies);
}

/** Begin the line of `parts` at `top`. */
export function startLine(pen, top, parts) {
  const { board, m } = pen;
  const { road } = (pen.rows = rowsOf(board, m, top, parts));
  pen.line += 1;
  for (let t = 0; t < board.sequence; t += 1) {
    const [w, h] = [WORD.w * m.k, Math.min(WORD.h * m.k, m.laneHeight + (m.lies ? 0 : 6))];
    const y = laneMiddle(pen, road, t) - h / 2;
    board.words.push({ position: t, x: PAD, y, w, h, first: pen.line === 0 });
  }
  pen.from = PAD + (WORD.w / 2) * m.k;
  pen.x = PAD + WORD.w * m.k + 12;
  pen.isCarried = pen.line > 0; // the stop itself stands at the end of the line before
  if (pen.isCarried) pen.x += m.road;
}

/** End the last line. */
export function endLine(pen) {
  pen.board.width = Math.max(pen.board.width, pen.x + PAD);
}

/** End a line and lead the road to the next one; returns where that one's top is. */
export function turnLine(pen) {
  const { board, m, rows } = pen;
  const right = pen.x + 4;
  const next = nextTop(rows, board.sequence, m);
  const nextRoad = next + m.label + 6;
  ribbonsTo(pen, right);
  for (let t = 0; t < board.sequence; t += 1) {
    const y = laneMiddle(pen, rows.road, t);
    const between = rows.bottom + 12 + t * strand(m.lies);
    const start = laneMiddle(pen, nextRoad, t);
    const turn = right + 10;
    const way = [[right, y], [turn, y], [turn, between], [2, between], [2, start], [PAD + 4, start]];
    addLine(pen, "turn", t, pen.carries, wire(way, 10));
  }
  board.width = Math.max(board.width, pen.x + stopHeading(m) + PAD);
  return next;
}

/** The road of every lane up to `x`, carrying what it carries. */
export function ribbonsTo(pen, x) {
  const { board, m, rows } = pen;
  const margin = Math.min(5, m.laneGap / 2 - 1);
  for (let t = 0; t < board.sequence; t += 1) {
    board.ribbons.push({
      position: t,
      carries: pen.carries,
      line: pen.line,
      x: pen.from,
      y: laneTop(pen, rows.road, t) - margin,
      w: x - pen.from,
      h: m.laneHeight + 2 * margin,
    });
  }
  pen.from = x;
}

/* ---- stops and columns ---- */

/** A stop of the road at the pen, which moves behind it. */
export function stop(pen, name, block, labelWidth) {
  const { board, m, rows } = pen;
  const stage = settle(board, name, block, {
    cells: vectorCells(
      stageNamed(board, name, block),
      corner(pen, rows.road, pen.x, m.vector),
      { w: m.road, h: m.row, lies: m.lies },
    ),
    label: { x: pen.x, y: rows.top, w: labelWidth, h: m.label },
    digits: m.digits.road,
    place: "road",
  });
  pen.carries = stage.key;
  pen.x += m.road;
}

/** A tensor of the side road at `x`, under its heading. */
export function column(pen, name, block, x, labelWidth, labelX = x) {
  const { board, m, rows } = pen;
  const stage = stageNamed(board, name, block);
  const at = corner(pen, rows.side, x, stage.kind === "heads" ? m.laneHeight : m.vector);
  const make = {
    vector: () => vectorCells(stage, at, { w: m.cell, h: m.row, lies: m.lies }),
    heads: () => headCells(stage, at, { w: m.cell, h: m.row, gap: m.headGap, lies: m.lies }),
    units: () => unitCells(stage, at, { w: m.unit, h: m.row, rows: board.config.model_dim, lies: m.lies }),
  };
  settle(board, name, block, {
    cells: make[stage.kind](),
    label: { x: labelX, y: rows.side - m.label - 2, w: labelWidth, h: m.label },
    digits: stage.kind === "units" ? m.digits.unit : m.digits.side,
    place: "side",
  });
}

/** A panel of the side road from `x` to `right`. */
export function panel(pen, kind, block, x, right, bottom, titleX) {
  const { board, m, rows } = pen;
  board.panels.push({
    kind,
    block,
    x,
    y: rows.panel,
    w: right - x,
    h: bottom - rows.panel,
    titleX,
    titleY: rows.panel + 18 * m.k,
  });
}

/* ---- wires ---- */

export function addLine(pen, kind, position, carries, d, tip = null) {
  const line = { kind, position, carries, d, tip };
  pen.board.lines.push(line);
  return line;
}

/** Wires from the last stop straight down to the side column below it. */
export function leave(pen) {
  const { board, m, rows } = pen;
  const middle = pen.x - m.road / 2;
  for (let t = 0; t < board.sequence; t += 1) {
    const x = middle + inBundle(pen, t);
    const start = laneMiddle(pen, rows.road, t);
    const from = pen.isCarried ? start : start + m.vector / 2;
    const to = laneMiddle(pen, rows.side, t) - m.vector / 2;
    const way = wire([[x, from], [x, to - 2]]);
    const line = addLine(pen, "leave", t, pen.carries, way, { x, y: to - 1, turn: 90 });
    if (pen.isCarried) line.dot = { x, y: from };
  }
  pen.isCarried = false;
}

/** Wires from the side column at `x` up to plus signs on the road; the ribbons end there. */
export function comeBack(pen, name, block, x, fromPanel = false) {
  const { board, m, rows } = pen;
  const middle = x + m.cell / 2;
  const { key } = stageNamed(board, name, block);
  ribbonsTo(pen, middle);
  for (let t = 0; t < board.sequence; t += 1) {
    const place = middle + inBundle(pen, t);
    const from = fromPanel ? rows.panel : laneMiddle(pen, rows.side, t) - m.vector / 2;
    const y = laneMiddle(pen, rows.road, t);
    addLine(pen, "back", t, key, wire([[place, from], [place, y + m.plus + 2]]));
    board.pluses.push({ x: place, y, r: m.plus, position: t, adds: key });
  }
}

/** Wires along the lanes that begin at `from`, from `x` to `to`. */
export function along(pen, from, x, to, carries) {
  for (let t = 0; t < pen.board.sequence; t += 1) {
    const y = laneMiddle(pen, from, t);
    const tip = { x: to - 2, y, turn: 0 };
    addLine(pen, "along", t, carries, wire([[x + 2, y], [to - 3, y]]), tip);
  }
}
