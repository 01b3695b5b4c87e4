/** The other parts of the network: entrance, FFN, a block folded up, and the end. */

import { settle, stageNamed, wire } from "../board.js";
import { wordCells } from "../place.js";
import {
  addLine,
  along,
  column,
  comeBack,
  lanesHeight,
  laneMiddle,
  laneTop,
  leave,
  panel,
  ribbonsTo,
  stop,
} from "./pen.js";
import { gapsOf, lastColumn, PAD, stopHeading } from "./widths.js";

const TITLE = 26;
const SMALLEST_TAG = 11; // px between rows below which their words are left out
const BAR = 23; // height of a bar's row
const FOLDED_HEADING = 38; // height of a heading in a folded block

/** Words and their vectors; their places' vectors join from below. */
export function drawEntrance(pen) {
  const { board, m, rows } = pen;
  pen.carries = "token_embeddings";
  stop(pen, "token_embeddings", null, m.road + m.cell + 12);
  const x = pen.x + 12;
  column(pen, "position_embeddings", null, x, m.cell + 20 * m.k, x - 22 * m.k);
  panel(pen, "position", null, PAD, x + m.cell + 6, rows.below + 6, PAD + 10);
  for (let t = 0; t < board.sequence; t += 1) {
    const y = laneMiddle(pen, rows.side, t) + 4;
    board.tags.push({ kind: "place", position: t, x: x - 12, y, anchor: "end" });
  }
  comeBack(pen, "position_embeddings", null, x);
  pen.x = x + m.cell + gapsOf(m).plus;
  stop(pen, "residual_0", null, m.road + stopHeading(m));
}

/** LN2, the units, and back to the road. */
export function drawFfn(pen, block) {
  const { board, m, rows } = pen;
  const gaps = gapsOf(m);
  const units = 4 * m.unit;
  const ln2 = pen.x - m.road + (m.road - m.cell) / 2;
  const hidden = ln2 + m.cell + 20;
  const activation = hidden + units + gaps.act;
  const update = activation + units + 20;
  const key = (name) => stageNamed(board, name, block).key;
  column(pen, "ln2", block, ln2, m.cell);
  leave(pen);
  column(pen, "ffn_hidden", block, hidden, units + gaps.act - 4);
  column(pen, "ffn_activation", block, activation, units + 18);
  column(pen, "ffn_update", block, update, m.cell + gaps.plus - 4);
  along(pen, rows.side, ln2 + m.cell, hidden, key("ln2"));
  along(pen, rows.side, hidden + units, activation, key("ffn_hidden"));
  along(pen, rows.side, activation + units, update, key("ffn_activation"));
  panel(pen, "ffn", block, ln2 - 7, update + m.cell + 7, rows.below + 6, ln2 + m.cell + 6);
  comeBack(pen, "ffn_update", block, update);
  pen.x = update + m.cell + gaps.plus;
  lastStop(pen, block);
}

function lastStop(pen, block) {
  const { board, m } = pen;
  const isLast = block === board.config.num_layers - 1;
  const w = isLast ? m.road + gapsOf(m).tail - 4 : m.road + stopHeading(m);
  stop(pen, "residual_after_ffn", block, w);
}

/** A block whose side roads are only headings: one opens it. */
export function drawFolded(pen, block) {
  const { board, m, rows } = pen;
  const gaps = gapsOf(m);
  pen.isCarried = false;
  const sides = [
    ["attention_update", () => stop(pen, "residual_after_attention", block, m.road + stopHeading(m))],
    ["ffn_update", () => lastStop(pen, block)],
  ];
  const left = pen.x + 8;
  const folded = board.stages.filter((stage) => stage.block === block && !onRoad(stage));
  for (const [name, drawStop] of sides) {
    const x = pen.x + gaps.fold;
    const isFfn = name === "ffn_update";
    const headings = folded.filter((stage) => isFfn === /^(ln2|ffn_)/.test(stage.name));
    headings.forEach((stage, place) => {
      const y = rows.panel + TITLE * m.k + 6 + place * FOLDED_HEADING * m.k;
      const label = { x: pen.x + 14, y, w: x + m.cell - pen.x, h: FOLDED_HEADING * m.k };
      settle(board, stage.name, block, { cells: [], label, digits: false, place: "side" });
    });
    comeBack(pen, name, block, x, true);
    pen.x = x + m.cell + gaps.plus;
    drawStop();
  }
  const lowest = Math.max(...folded.map(({ label }) => label.y + label.h));
  rows.bottom = Math.max(rows.bottom, lowest + 8);
  panel(pen, "folded", block, left, pen.x - m.road - 6, lowest + 8, left + 10);
}

function onRoad(stage) {
  return stage.name.startsWith("residual_");
}

/** The last norm, scores and probabilities of every next word. */
export function drawEnd(pen) {
  const { m, rows } = pen;
  const { tail } = gapsOf(m);
  const last = pen.x;
  pen.x += tail;
  ribbonsTo(pen, pen.x);
  stop(pen, "final_hidden", null, m.road + tail - 4);
  ribbonsTo(pen, pen.x + 5);
  const logits = pen.x + tail;
  const probabilities = logits + m.cell + tail;
  along(pen, rows.road, pen.x, logits, "final_hidden");
  wordsColumn(pen, "logits", logits, m.cell + tail - 4);
  along(pen, rows.road, logits + m.cell, probabilities, "logits");
  wordsColumn(pen, "vocabulary_probs", probabilities, lastColumn(m));
  pen.x = probabilities + lastColumn(m);
  tagWords(pen, probabilities + m.cell + 5);
  placeAnswer(pen, last, probabilities);
}

function wordsColumn(pen, name, x, labelWidth) {
  const { board, m, rows } = pen;
  settle(board, name, null, {
    cells: wordCells(stageNamed(board, name), (t) => ({ x, y: laneTop(pen, rows.road, t) }), {
      w: m.cell,
      height: m.laneHeight,
      slots: m.slots,
      lies: m.lies,
    }),
    label: { x, y: rows.top, w: labelWidth, h: m.label },
    digits: m.digits.words,
    place: "road",
  });
}

/** The words that the rows of scores and probabilities stand for. */
function tagWords(pen, x) {
  const { board, m, rows } = pen;
  const step = m.laneHeight / m.slots;
  if (step < SMALLEST_TAG) return;
  for (let t = 0; t < board.sequence; t += 1) {
    for (let slot = 0; slot < m.slots; slot += 1) {
      const y = laneTop(pen, rows.road, t) + (slot + 0.5) * step + 4;
      board.tags.push({ kind: "next", position: t, slot, x, y, anchor: "start" });
    }
  }
}

/** The bars with their heading and the line below them. */
export function answerHeight(m) {
  return (2 + m.bars) * BAR * m.k + 18;
}

/** The last word's probabilities once more as bars, below the end of the road. */
function placeAnswer(pen, from, probabilities) {
  const { board, m, rows } = pen;
  const x = from + 4;
  board.answer = { x, y: rows.panel, w: pen.x - x, h: answerHeight(m) };
  const middle = probabilities + m.cell / 2;
  const bottom = rows.road + lanesHeight(pen) - m.laneGap / 2;
  const way = wire([[middle, bottom + 2], [middle, rows.panel - 4]]);
  const tip = { x: middle, y: rows.panel - 2, turn: 90 };
  addLine(pen, "back", board.sequence - 1, "vocabulary_probs", way, tip);
  rows.bottom = Math.max(rows.bottom, board.answer.y + board.answer.h);
}
