/** The other parts of the road downwards: entrance, FFN, a block folded up, and the end. */

import { settle, stageNamed } from "../board.js";
import { curve } from "../links.js";
import {
  addLine,
  beside,
  comeBack,
  down,
  LABEL,
  laneMiddle,
  leave,
  nextRow,
  PAD,
  panel,
  ribbonsTo,
  rowsBelow,
  stop,
  TITLE,
  wordRows,
} from "./pen.js";

const WORD = 44; // height of a word, and the least width a finger needs
const SPREAD = 30; // height in which spread words lead into their lanes
const ANSWER_ROW = 24;
const SMALLEST_TAG = 11;
const PLACE = 64; // a lane narrower than this has its number alone under its position vector

export function drawEntrance(pen) {
  const { board, m } = pen;
  pen.carries = "token_embeddings";
  placeWords(pen);
  stop(pen, "token_embeddings", null);
  nextRow(pen, m.vector - LABEL + 8);
  const top = pen.y - 2;
  beside(pen, "position_embeddings", null);
  for (let t = 0; t < board.sequence && m.cell >= 30; t += 1) {
    const x = laneMiddle(pen, pen.side, t);
    const y = pen.y + LABEL + m.vector + 13;
    board.tags.push({ kind: "place", position: t, x, y, anchor: "middle", brief: m.cell + pen.gap < PLACE });
  }
  comeBack(pen, "position_embeddings", null);
  nextRow(pen, m.vector + 14);
  panel(pen, "bare", null, top);
  pen.y += 10;
}

/** The words over their lanes; where lanes are narrow, spread so that a finger hits one. */
function placeWords(pen) {
  const { board, m } = pen;
  const isSpread = m.cell + pen.gap < WORD;
  const w = isSpread
    ? Math.min(WORD, (pen.right - PAD) / board.sequence - 2)
    : m.cell + Math.min(8, pen.gap);
  const height = isSpread ? WORD + SPREAD : WORD;
  for (let t = 0; t < board.sequence; t += 1) {
    const middle = laneMiddle(pen, pen.road, t);
    const x = isSpread ? PAD + t * (w + 2) : middle - w / 2;
    board.words.push({ position: t, x, y: 0, w, h: WORD, first: true });
    if (!isSpread) continue;
    const way = curve({ x: x + w / 2, y: WORD }, { x: middle, y: height }, true);
    addLine(pen, "enter", t, pen.carries, way);
  }
  pen.from = isSpread ? height : WORD / 2;
  pen.y = height + 4;
}

export function drawFfn(pen, block) {
  const { board, m } = pen;
  const top = pen.y;
  pen.y += TITLE;
  stop(pen, "residual_after_attention", block);
  beside(pen, "ln2", block);
  leave(pen);
  const from = pen.y + LABEL + m.vector;
  nextRow(pen);
  down(pen, stageNamed(board, "ln2", block).key, from, pen.y + LABEL);
  rowsBelow(pen, ["ffn_hidden", "ffn_activation", "ffn_update"], block);
  comeBack(pen, "ffn_update", block);
  nextRow(pen);
  pen.y += 2;
  panel(pen, "ffn", block, top);
  pen.y += 12;
}

/** A block whose side roads are only headings: one opens it. */
export function drawFolded(pen, block) {
  const { board } = pen;
  if (block === 0) stop(pen, "residual_0", null);
  else stop(pen, "residual_after_ffn", block - 1);
  nextRow(pen);
  foldedSide(pen, block, "attention_update", (name) => !isFfn(name));
  stop(pen, "residual_after_attention", block);
  nextRow(pen);
  foldedSide(pen, block, "ffn_update", isFfn);
  board.height = pen.y;
}

function isFfn(name) {
  return /^(ln2|ffn_)/.test(name);
}

function foldedSide(pen, block, update, belongs) {
  const { board } = pen;
  const top = pen.y;
  pen.y += TITLE;
  const headings = board.stages.filter(
    (stage) =>
      stage.block === block && !stage.name.startsWith("residual_") && belongs(stage.name),
  );
  for (const stage of headings) {
    const label = { x: pen.side, y: pen.y, w: pen.right - pen.side, h: LABEL };
    settle(board, stage.name, block, { cells: [], label, digits: false, place: "side" });
    pen.y += LABEL;
  }
  const bottom = pen.y;
  pen.y = bottom - LABEL - pen.m.vector;
  comeBack(pen, update, block, true);
  pen.y = bottom + 6;
  panel(pen, "folded", block, top);
  pen.y += 12;
}

export function drawEnd(pen) {
  const { board, m } = pen;
  stop(pen, "residual_after_ffn", board.config.num_layers - 1);
  nextRow(pen);
  ribbonsTo(pen, pen.y + LABEL);
  stop(pen, "final_hidden", null);
  ribbonsTo(pen, pen.y + LABEL + m.vector + 4);
  nextRow(pen);
  const height = Math.max(m.slots * (m.digits.road ? 20 : 12), m.vector);
  wordRows(pen, "logits", pen.road, height);
  wordRows(pen, "vocabulary_probs", pen.side, height);
  tagWords(pen, height);
  nextRow(pen, height);
  pen.y += 10;
  const h = (2 + m.bars) * ANSWER_ROW + 18;
  board.answer = { x: PAD, y: pen.y, w: pen.right - PAD, h };
  pen.y += h + 4;
}

/** The words of the rows, between scores and probabilities; the last position's. */
function tagWords(pen, height) {
  const { board, m } = pen;
  if (height / m.slots < SMALLEST_TAG) return;
  const position = board.sequence - 1;
  for (let slot = 0; slot < m.slots; slot += 1) {
    const y = pen.y + LABEL + ((slot + 0.5) * height) / m.slots + 4;
    board.tags.push({ kind: "next", position, slot, x: pen.side - 9, y, anchor: "end" });
  }
}
