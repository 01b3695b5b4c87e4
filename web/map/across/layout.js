/** The map from left to right: the road above, its side roads in panels below, one lane per word. */

import { createBoard, drawn } from "../board.js";
import { candidates, FEW, lowered, lying } from "../sizes.js";
import { drawAttention } from "./attention.js";
import { broken, lineWidth, partsOf } from "./lines.js";
import { answerHeight, drawEnd, drawEntrance, drawFfn, drawFolded } from "./parts.js";
import { createPen, endLine, nextTop, rowsOf, startLine, turnLine } from "./pen.js";
import { PAD, partWidths, shortestLinks } from "./widths.js";

const LONGEST_LINKS = 360;
const LINKS_PER_LANE = 75; // with many lanes, links may be longer
const BELOW = 4; // px below the last row
const LEGEND = { w: 400, h: 100 }; // the least room it needs in a corner

const DRAW = {
  entrance: drawEntrance,
  attention: drawAttention,
  ffn: drawFfn,
  folded: drawFolded,
  end: drawEnd,
};

/** The board for so many px, where it can be; `folded`: blocks of which only headings show; `isPicture`: its vectors lie. */
export function layoutAcross(config, sequence, { width, height, folded, isPicture }) {
  const { sizes, lines, links } = fit(config, sequence, { width, height, folded, isPicture });
  const board = createBoard(config, sequence, sizes, false);
  const pen = createPen(board, links);
  let top = 0;
  lines.forEach((parts, line) => {
    startLine(pen, top, parts);
    for (const part of parts) DRAW[part.kind](pen, part.block);
    if (line < lines.length - 1) top = turnLine(pen);
    else endLine(pen);
  });
  board.height = pen.rows.bottom + BELOW;
  placeLegend(pen);
  return drawn(board);
}

/**
 * Of the sizes that need the fewest lines, the widest whose cells can be made low enough for the
 * height; with few words, of those that show digits if there are any that fit.
 */
function fit(config, sequence, { width, height, folded, isPicture }) {
  const parts = partsOf(config, folded);
  const sized = isPicture ? lying(config, sequence) : candidates(config, sequence);
  const tries = sized.map((sizes) => {
    const widths = partWidths(sizes, sequence);
    const lines = broken(parts, widths, width);
    return { sizes, widths, lines, widest: Math.max(...widthsOf(lines, widths)) };
  });
  const fitting = orAll(tries, ({ widest }) => widest <= width);
  const usable = sequence > FEW ? fitting : orAll(fitting, ({ sizes }) => sizes.digits.side);
  const fewest = Math.min(...usable.map(({ lines }) => lines.length));
  const inFewest = usable.filter(({ lines }) => lines.length === fewest);
  const variants = inFewest.map((tried) =>
    (isPicture ? [tried.sizes, tried.sizes] : lowered(config, sequence, tried.sizes)).map((sizes) => ({ ...tried, sizes })),
  );
  const heightOf = ({ sizes, lines }) => heightFor({ config, sequence }, sizes, lines);
  const fits = (variant) => heightOf(variant) <= height;
  const best = variants.flat().find(fits) ?? lowest(variants.map(([, tight]) => tight), heightOf);
  return { ...best, links: linkLength(best, sequence, width) };
}

function lowest(variants, heightOf) {
  return variants.reduce((best, variant) => (heightOf(variant) < heightOf(best) ? variant : best));
}

/** The height of a board of these lines, without drawing it. */
function heightFor(network, sizes, lines) {
  let top = 0;
  let bottom = 0;
  for (const parts of lines) {
    const rows = rowsOf(network, sizes, top, parts);
    const isLast = parts === lines.at(-1);
    bottom = isLast ? Math.max(rows.bottom, rows.panel + answerHeight(sizes)) : rows.bottom;
    top = nextTop({ bottom }, network.sequence, sizes);
  }
  return bottom + BELOW;
}

/** Those that `accept` accepts; all, if it accepts none. */
function orAll(list, accept) {
  const accepted = list.filter(accept);
  return accepted.length ? accepted : list;
}

function widthsOf(lines, widths) {
  return lines.map((parts, place) =>
    lineWidth(parts, widths, place === 0, place === lines.length - 1),
  );
}

/** What room is left makes the links longer. */
function linkLength({ sizes, widths, lines }, sequence, width) {
  const spare = widthsOf(lines, widths).map((used, line) => {
    const attentions = lines[line].filter((part) => part.kind === "attention").length;
    return attentions ? Math.max(0, width - used) / attentions : Infinity;
  });
  const shortest = shortestLinks(sizes, sequence);
  const longest = Math.max(shortest, LONGEST_LINKS * sizes.k, LINKS_PER_LANE * sequence);
  return Math.floor(Math.min(shortest + Math.min(...spare), longest));
}

/** The free corner right of the last matrices, if it is large enough. */
function placeLegend({ board, rows }) {
  const onLine = board.panels.filter((panel) => panel.y === rows.panel);
  const attention = onLine.filter((panel) => panel.kind === "attention").at(-1);
  const ffn = onLine.filter((panel) => panel.kind === "ffn").at(-1);
  if (!attention || !ffn) return;
  const x = attention.x + attention.w + 16;
  const y = Math.max(ffn.y + ffn.h, board.answer.y + board.answer.h) + 14;
  const [w, h] = [board.width - x - PAD, rows.bottom - y];
  const { k } = board.sizes;
  if (w >= LEGEND.w * k && h >= LEGEND.h * k) board.legend = { x, y, w, h };
}
