/** Attention beside the road: LN1, query and key, the matrices, value, the links, and back. */

import { settle, stageNamed, wire } from "../board.js";
import { matrixCells } from "../place.js";
import { isTagged, tagLength } from "../tags.js";
import {
  addLine,
  beside,
  comeBack,
  LABEL,
  laneLeft,
  laneMiddle,
  leave,
  nextRow,
  panel,
  rowsBelow,
  stop,
  TITLE,
} from "./pen.js";

const LINKS = 120;
const MATRIX_GAP = 12;
const TAGS = 30; // above a matrix: its head, and the words looked at
const MIN_DIGITS = 42;
const MIN_ROW = 14;
const MATRICES = [
  ["scores", "scores"],
  ["masked_scores", "mask"],
  ["attention_probs", "softmax"],
];

export function drawAttention(pen, block) {
  const { m } = pen;
  const top = pen.y;
  pen.y += TITLE;
  if (block === 0) stop(pen, "residual_0", null);
  else stop(pen, "residual_after_ffn", block - 1);
  beside(pen, "ln1", block);
  leave(pen);
  const norm = pen.y + LABEL + m.vector;
  nextRow(pen);
  const into = ["query", "key"].map((name) => {
    beside(pen, name, block);
    const at = pen.y + LABEL;
    nextRow(pen, m.laneHeight);
    return at;
  });
  for (const [name, operator] of MATRICES) drawMatrix(pen, name, operator, block);
  beside(pen, "value", block);
  fanOut(pen, block, norm, into);
  leadToValue(pen, block, norm);
  const from = pen.y + LABEL + m.laneHeight;
  pen.y = from + LINKS - LABEL;
  anchorLinks(pen, block, from, pen.y + LABEL);
  rowsBelow(pen, ["head_outputs", "heads_joined", "attention_update"], block);
  comeBack(pen, "attention_update", block);
  nextRow(pen);
  pen.y += 2;
  panel(pen, "attention", block, top);
  pen.y += 12;
}

/** From LN1 down the left of each lane, into query and key. */
function fanOut(pen, block, from, targets) {
  const { key: carries } = stageNamed(pen.board, "ln1", block);
  const aside = Math.min(7, pen.gap / 2 + 1);
  for (let t = 0; t < pen.board.sequence; t += 1) {
    const x = laneMiddle(pen, pen.side, t);
    const rail = laneLeft(pen, pen.side, t) - aside;
    for (const target of targets) {
      const out = [[x, from + 1], [x, from + 7], [rail, from + 7]];
      const back = [[rail, target - 8], [x, target - 8], [x, target - 3]];
      const tip = { x, y: target - 1, turn: 90 };
      addLine(pen, "fan", t, carries, wire([...out, ...back], Math.min(5, aside)), tip);
    }
  }
}

/** From LN1 along the right edge of the panel, past the matrices, into value. */
function leadToValue(pen, block, from) {
  const { key: carries } = stageNamed(pen.board, "ln1", block);
  const target = pen.y + LABEL;
  for (let t = 0; t < pen.board.sequence; t += 1) {
    const x = laneMiddle(pen, pen.side, t);
    const apart = t * railStep(pen);
    const rail = pen.right - 5 - apart;
    const leaving = from + 7 + Math.min(apart, 12);
    const arriving = target - 8 - Math.min(apart, 12);
    const out = [[x, from + 1], [x, leaving], [rail, leaving]];
    const back = [[rail, arriving], [x, arriving], [x, target - 3]];
    const tip = { x, y: target - 1, turn: 90 };
    addLine(pen, "fan", t, carries, wire([...out, ...back], 5), tip);
  }
}

function railStep({ board }) {
  return board.sequence <= 4 ? 4 : 12 / board.sequence;
}

function drawMatrix(pen, name, operator, block) {
  const { board, m } = pen;
  const heads = board.config.num_heads;
  const perRow = Math.min(heads, 2);
  const edge = 8 + (board.sequence - 1) * railStep(pen);
  const room = pen.right - edge - pen.side - (perRow - 1) * MATRIX_GAP;
  const w = Math.min(Math.max(m.cell, MIN_DIGITS), room / (perRow * board.sequence));
  const h = board.sequence <= 4 ? Math.max(m.row, 18) : Math.min(w, MIN_ROW);
  const width = board.sequence * w;
  const height = board.sequence * h + TAGS;
  const at = (head) => ({
    x: pen.side + (head % perRow) * (width + MATRIX_GAP),
    y: pen.y + LABEL + TAGS - 4 + Math.floor(head / perRow) * (height + 6),
  });
  settle(board, name, block, {
    cells: matrixCells(stageNamed(board, name, block), at, { w, h }),
    label: { x: pen.side, y: pen.y, w: pen.right - pen.side - 60, h: LABEL },
    digits: w >= MIN_DIGITS && h >= MIN_ROW,
    place: "side",
  });
  const x = pen.right - edge;
  board.tags.push({ kind: "operator", operator, x, y: pen.y + 14, anchor: "end" });
  for (let head = 0; head < heads; head += 1) {
    tagMatrix(board, head, at(head), { w, h, isFirst: head % perRow === 0 });
  }
  nextRow(pen, Math.ceil(heads / perRow) * (height + 6) - 10);
}

function tagMatrix(board, head, { x, y }, { w, h, isFirst }) {
  board.tags.push({ kind: "head", head, x, y: y - 17, anchor: "start" });
  for (let t = 0; t < board.sequence; t += 1) {
    const middle = x + (t + 0.5) * w;
    const most = tagLength(w);
    if (isTagged(t, w, "beside")) {
      board.tags.push({ kind: "seen", position: t, x: middle, y: y - 4, anchor: "middle", most });
    }
    if (isFirst && isTagged(t, h, "below")) {
      const row = y + (t + 0.5) * h + 4;
      board.tags.push({ kind: "looker", position: t, x: x - 5, y: row, anchor: "end" });
    }
  }
}

function anchorLinks(pen, block, from, to) {
  const { board, m } = pen;
  const heads = board.config.num_heads;
  const share = m.cell / heads;
  const middle = (head, t) => laneLeft(pen, pen.side, t) + (head + 0.5) * share;
  for (let head = 0; head < heads; head += 1) {
    for (let looker = 0; looker < board.sequence; looker += 1) {
      for (let seen = 0; seen < board.sequence; seen += 1) {
        board.anchors.push({
          block,
          head,
          from: seen,
          to: looker,
          start: { x: middle(head, seen), y: from + 3 },
          end: { x: middle(head, looker), y: to - 4 },
          full: Math.max(share - 2, 2),
        });
      }
    }
  }
}
