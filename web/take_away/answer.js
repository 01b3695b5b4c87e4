/** The last word's next-word probabilities as bars, where the road ends. */

import { wordColour } from "../colours.js";
import { svg } from "../dom.js";
import { numberOrMark } from "../format.js";
import { withGloss } from "../glosses.js";
import { short } from "../map/tags.js";
import { give } from "./paint.js";
import { textWidth } from "./text.js";

const PAD = 12;
const MOST_CHARACTERS = 6; // of a word

export function answerPicture(board, context) {
  const { x, y, w, h } = board.answer;
  const { view, t, k, sizes } = context;
  const last = view.window.length - 1;
  const probabilities = view.trace.vocabulary_probs[last];
  const best = probabilities.indexOf(Math.max(...probabilities));
  const ids = context.orders[last].slice(0, sizes.slots);
  const box = svg("rect", { x, y, width: w, height: h, rx: 10 });
  give(box, { fill: "var(--mg-surface)", stroke: "var(--mg-line)", "stroke-width": 1 }, context);
  const word = view.model.words[view.window[last]];
  const title = svg("text", { x: x + PAD, y: y + 22 * k }, t("take_away.answer", { word: withGloss(word, t) }));
  give(title, { fill: "var(--mg-ink)", px: 12.5, "font-weight": 650 }, context);
  const step = Math.min(24 * k, (h - 32 * k) / ids.length);
  const names = ids.map((id) => short(view.model.words[id], MOST_CHARACTERS));
  const named = Math.max(...names.map((name, row) => textWidth(full(name, ids[row], context), 11 * k))) + 8;
  const rows = ids.map((id, row) =>
    rowPicture({ id, name: names[row], x: x + PAD, y: y + 32 * k + row * step, w: w - 2 * PAD, named, step }, probabilities[id], id === best, context),
  );
  return [box, title, rows];
}

function full(name, id, { view, t }) {
  return name === view.model.words[id] ? withGloss(name, t) : name;
}

function rowPicture({ id, name, x, y, w, named, step }, probability, isBest, context) {
  const { k } = context;
  const base = y + step / 2 + 4.5 * k;
  const width = Math.max(w - named - 58 * k, 0);
  const weight = isBest ? 700 : 400;
  const text = svg("text", { x, y: base }, full(name, id, context));
  give(text, { fill: "var(--mg-ink)", px: 11, "font-weight": weight }, context);
  const track = svg("rect", { x: x + named, y: y + step / 2 - 6, width, height: 12, rx: 3 });
  give(track, { fill: "var(--mg-raised)" }, context);
  const bar = svg("rect", { x: x + named, y: y + step / 2 - 6, width: width * (probability || 0), height: 12 });
  give(bar, { fill: wordColour(id) }, context);
  const value = svg("text", { x: x + w, y: base, "text-anchor": "end" }, numberOrMark(probability));
  give(value, { fill: "var(--mg-ink)", px: 13, "font-weight": weight }, context);
  return [text, track, bar, value];
}
