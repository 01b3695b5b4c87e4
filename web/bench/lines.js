/** The lines of a working: expression, result, notes; operands are buttons. */

import { el } from "../dom.js";
import { lastPlaceOf, placeOf } from "./sheets.js";

const PARTIAL = "partial";
const MOST_OPEN = 14; // a longer working shows its last lines, the rest on request

/**
 * @param {object} working what `bench_values` answered
 * @param {object} context `book`, `lang`, `t`, `window`, `words`, `sizes`
 * @param {object} options `isHidden`: results shown as "?"; `onOperand(ref)`
 */
export function linesOf(working, context, { isHidden = false, onOperand }) {
  const items = working.lines.map((line, index) =>
    lineItem(line, context, { isHidden, onOperand, isLast: index === working.lines.length - 1 }),
  );
  if (items.length <= MOST_OPEN) return [el("ol", { class: "mg-lines" }, items)];
  const early = items.slice(0, -3);
  return [
    el(
      "details",
      { class: "mg-lines-early" },
      el("summary", {}, context.t("bench.early_lines", { count: early.length })),
      el("ol", { class: "mg-lines" }, early),
    ),
    el("ol", { class: "mg-lines", start: early.length + 1 }, items.slice(-3)),
  ];
}

function lineItem(line, context, { isHidden, onOperand, isLast }) {
  const pieces = inTerms(line.pieces).map((term) =>
    typeof term === "string"
      ? term
      : el("span", { class: "mg-term" }, term.map((piece) => pieceNode(piece, context, onOperand))),
  );
  const result = isHidden ? "?" : line.result;
  const notes = isLast ? line.notes.map(inFull) : line.notes;
  return el(
    "li",
    { class: isLast ? "mg-line mg-line-last" : "mg-line" },
    el("span", { class: "mg-line-label" }, labelOf(line, context, isLast)),
    el(
      "span",
      { class: "mg-line-text" },
      pieces,
      el("span", { class: "mg-line-equals" }, ` ${line.relation} `),
      el("output", { class: "mg-line-result" }, result),
    ),
    isHidden ? null : notes.map((note) => el("span", { class: "mg-line-note" }, noteText(note, context))),
  );
}

/** The pieces gathered into terms that a line break keeps whole, and the signs between them. */
function inTerms(pieces) {
  const terms = [[]];
  for (const { text, ref } of pieces) {
    if (ref) {
      terms.at(-1).push({ text, ref });
      continue;
    }
    text.split(/( [+−÷] )/).forEach((part) => {
      if (/^ [+−÷] $/.test(part)) terms.push(part, []);
      else if (part) terms.at(-1).push({ text: part, ref: null });
    });
  }
  return terms;
}

function pieceNode(piece, context, onOperand) {
  const value = piece.ref && context.book.valueOf(piece.ref.key);
  if (!value) return piece.text;
  const isWeight = !("traced" in value);
  return el(
    "button",
    {
      type: "button",
      class: isWeight ? "mg-operand mg-operand-weight" : "mg-operand",
      "aria-label": `${piece.text}${context.t("bench.from")}${sourceOf(piece.ref, context)}`,
      title: sourceOf(piece.ref, context),
      onclick: () => onOperand(piece.ref),
    },
    piece.text,
  );
}

/** What a value is called and where in it a cell lies: "Q (query)，头 1，喜欢（位置 1），通道 0". */
export function sourceOf(ref, context) {
  const value = context.book.valueOf(ref.key);
  return `${titleOf(value, context)}${context.t("bench.comma")}${placeOf(value, ref.cell, context)}`;
}

/** What a value or a weight is called. */
export function titleOf(value, { book, lang }) {
  const texts = "traced" in value ? book.texts.values : book.texts.weights;
  return texts[value.name][lang];
}

/** What a line computes; on the way, one of several lines for a value says which it is. */
function labelOf(line, context, isLast) {
  if (line.label === PARTIAL) return context.t("bench.partial", { number: line.target.cell[0] + 1 });
  const value = context.book.valueOf(line.target.key);
  if (!value) return exampleLabel(line, context);
  const title = titleOf(value, context);
  return isLast || value.axes.length < 2 ? title : `${title} · ${lastPlaceOf(value, line.target.cell, context)}`;
}

/** A line of an example whose values stand nowhere on the page. */
function exampleLabel(line, { book, lang, t }) {
  const title = book.texts.values[line.label][lang];
  const [, channel] = line.target.cell;
  return channel === undefined ? title : `${title} · ${t("bench.place.channel", { number: channel })}`;
}

/** The last line of a working explains its digits in full. */
function inFull(note) {
  return note.key === "digits" ? { ...note, key: "digits_why" } : note;
}

/** A note as a sentence. */
export function noteText({ key, values }, { t, words }) {
  const shown = "word" in values ? { ...values, word: words[values.word] } : values;
  return t(`working.note.${key}`, shown);
}

/** The whole working as plain text, for a notebook or an e-mail. */
export function plainText(working, context) {
  const value = context.book.valueOf(working.key);
  const title = `${titleOf(value, context)} ${working.key}[${working.cell.join(", ")}]`;
  const lines = working.lines.flatMap((line, index) => [
    `${labelOf(line, context, index === working.lines.length - 1)}${context.t("bench.colon")}${line.expression} ${line.relation} ${line.result}`,
    ...line.notes.map((note) => `    ${noteText(note, context)}`),
  ]);
  return [title, placeOf(value, working.cell, context), ...lines].join("\n");
}
