/** Attention as a side road: LN1, query, key, value, the links, and back to the road. */

import { settle, stageNamed, wire } from "../board.js";
import { matrixCells } from "../place.js";
import { isTagged, tagLength } from "../tags.js";
import {
  addLine,
  along,
  column,
  comeBack,
  laneMiddle,
  laneTop,
  leave,
  MATRIX_BELOW,
  panel,
  stop,
} from "./pen.js";
import { gapsOf, HEAD_TAG, MATRIX_GAP, stopHeading, WORD_TAG } from "./widths.js";

const LYING_SHARE = 0.9; // of a lying head's height is filled by its links

export function drawAttention(pen, block) {
  const { m, rows } = pen;
  const gaps = gapsOf(m);
  const x = columnsOf(pen);
  const key = (name) => stageNamed(pen.board, name, block).key;
  column(pen, "ln1", block, x.ln1, m.cell);
  leave(pen);
  column(pen, "query", block, x.query, m.cell + 4);
  column(pen, "key", block, x.key, m.cell + 4);
  column(pen, "value", block, x.value, m.cell + 30);
  fanOut(pen, key("ln1"), x.ln1 + m.cell, [x.query, x.key, x.value]);
  column(pen, "head_outputs", block, x.output, m.cell + gaps.joined - 2);
  column(pen, "heads_joined", block, x.joined, m.cell + gaps.joined - 2);
  column(pen, "attention_update", block, x.update, m.cell + gaps.plus - 4);
  along(pen, rows.side, x.output + m.cell, x.joined, key("head_outputs"));
  along(pen, rows.side, x.joined + m.cell, x.update, key("heads_joined"));
  anchorLinks(pen, block, x.value + m.cell, x.output);
  drawMatrices(pen, block, x);
  panel(pen, "attention", block, x.ln1 - 7, x.update + m.cell + 7, rows.bottom, x.query);
  comeBack(pen, "attention_update", block, x.update);
  pen.x = x.update + m.cell + gaps.plus;
  stop(pen, "residual_after_attention", block, m.road + stopHeading(m));
}

/** The left edges of all columns. */
function columnsOf({ m, links, x }) {
  const gaps = gapsOf(m);
  const ln1 = x - m.road + (m.road - m.cell) / 2;
  const query = ln1 + m.cell + 18;
  const key = query + m.cell + gaps.qkv;
  const value = key + m.cell + gaps.qkv;
  const output = value + m.cell + links;
  const joined = output + m.cell + gaps.joined;
  const update = joined + m.cell + gaps.joined;
  return { ln1, query, key, value, output, joined, update };
}

/** From LN1 along the top of each lane, down into query, key and value. */
function fanOut(pen, carries, from, targets) {
  const { board, m, rows } = pen;
  for (let t = 0; t < board.sequence; t += 1) {
    const y = laneMiddle(pen, rows.side, t);
    const into = laneTop(pen, rows.side, t);
    const rail = into - Math.min(8, m.laneGap / 2);
    targets.forEach((x, place) => {
      const middle = x + m.cell / 2;
      const before =
        place === 0
          ? [[from + 2, y], [from + 9, y], [from + 9, rail]]
          : [[targets[place - 1] + m.cell / 2, rail]];
      const way = wire([...before, [middle, rail], [middle, into - 1]], 5);
      addLine(pen, "fan", t, carries, way, { x: middle, y: into, turn: 90 });
    });
  }
}

function anchorLinks(pen, block, from, to) {
  const { board, m, rows } = pen;
  const heads = board.config.num_heads;
  const full = m.vector / heads;
  const middle = (head, t) => laneTop(pen, rows.side, t) + head * (full + m.headGap) + full / 2;
  for (let head = 0; head < heads; head += 1) {
    for (let looker = 0; looker < board.sequence; looker += 1) {
      for (let seen = 0; seen < board.sequence; seen += 1) {
        board.anchors.push({
          block,
          head,
          from: seen,
          to: looker,
          start: { x: from + 2, y: middle(head, seen) },
          end: { x: to - 5, y: middle(head, looker) },
          full: m.lies ? full * LYING_SHARE : full - 2,
        });
      }
    }
  }
}

/* ---- the three matrices of each head, below ---- */

function drawMatrices(pen, block, x) {
  const { board, m, rows } = pen;
  const width = board.sequence * m.matrix.w;
  const height = board.sequence * m.matrix.h + MATRIX_BELOW;
  const first = x.ln1 + (HEAD_TAG + WORD_TAG) * m.k;
  const room = (x.output + 2 * m.cell - first - 3 * width) / 2;
  const step = width + Math.max(MATRIX_GAP * m.k, Math.min(room, 90 * m.k));
  const at = { first, step, width, height };
  ["scores", "masked_scores", "attention_probs"].forEach((name, place) => {
    const left = first + place * step;
    settle(board, name, block, {
      cells: matrixCells(
        stageNamed(board, name, block),
        (head) => ({ x: left, y: rows.matrix + head * height }),
        m.matrix,
      ),
      label: { x: left, y: rows.matrixLabel, w: Math.max(width, 84 * m.k), h: m.matrixLabel },
      digits: m.digits.matrix,
      place: "side",
    });
    tagColumns(pen, left);
  });
  tagRows(pen, x.ln1, at);
  stepBetween(pen, at);
  meetInScores(pen, x, at);
  weighLinks(pen, x, at);
}

/** The words looked at, above a matrix. */
function tagColumns({ board, m, rows }, left) {
  for (let t = 0; t < board.sequence; t += 1) {
    if (!isTagged(t, m.matrix.w, "beside")) continue;
    const x = left + (t + 0.5) * m.matrix.w;
    const most = tagLength(m.matrix.w);
    board.tags.push({ kind: "seen", position: t, x, y: rows.matrix - 5, anchor: "middle", most });
  }
}

/** The heads and the looking words, left of the first matrices. */
function tagRows({ board, m, rows }, x, { first, height }) {
  for (let head = 0; head < board.config.num_heads; head += 1) {
    const top = rows.matrix + head * height;
    board.tags.push({ kind: "head", head, x, y: top + (height - MATRIX_BELOW) / 2 + 4, anchor: "start" });
    for (let t = 0; t < board.sequence; t += 1) {
      if (!isTagged(t, m.matrix.h, "below")) continue;
      const y = top + (t + 0.5) * m.matrix.h + 4;
      board.tags.push({ kind: "looker", position: t, x: first - 6, y, anchor: "end" });
    }
  }
}

/** Arrows from matrix to matrix that say what happens there. */
function stepBetween(pen, { first, step, width, height }) {
  const { board, rows } = pen;
  for (let head = 0; head < board.config.num_heads; head += 1) {
    const y = rows.matrix + head * height + (height - MATRIX_BELOW) / 2;
    ["mask", "softmax"].forEach((operator, place) => {
      const from = first + place * step + width + 4;
      const to = first + (place + 1) * step - 6;
      const x = (from + to) / 2;
      board.tags.push({ kind: "operator", operator, x, y: y - 5, anchor: "middle" });
      addLine(pen, "step", null, null, wire([[from, y], [to, y]]), { x: to + 1, y, turn: 0 });
    });
  }
}

/** Query and key meet in the scores. */
function meetInScores(pen, { query, key }, { first }) {
  const { board, m, rows } = pen;
  const bottom = rows.below - m.laneGap / 2 + 2;
  const into = rows.matrixLabel + 2;
  const y = bottom + (into - bottom) / 2;
  const target = Math.max(first + 30, query + m.cell / 2);
  for (const left of [query, key]) {
    const x = left + m.cell / 2;
    addLine(pen, "step", null, null, wire([[x, bottom], [x, y], [target, y], [target, into]], 5));
  }
  addLine(pen, "step", null, null, wire([[target, y], [target, into]]), {
    x: target,
    y: into + 1,
    turn: 90,
  });
  const beside = { x: key + m.cell / 2 + 8, y: y + 4, anchor: "start" };
  board.tags.push({ kind: "operator", operator: "scores", ...beside });
}

/** The probabilities go up to the links. */
function weighLinks(pen, { value, output }, { first, step, width }) {
  const { m, rows } = pen;
  const below = Math.min(first + 2 * step + width / 2, output - 20);
  const x = Math.max(below, value + m.cell + 20);
  const bottom = rows.below - m.laneGap / 2;
  const way = wire([[x, rows.matrixLabel + 2], [x, bottom + 4]]);
  addLine(pen, "weigh", null, null, way, { x, y: bottom + 3, turn: -90 });
}
