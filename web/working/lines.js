/** The lines of a working: expression, result, notes; operands are buttons. */

import { el } from "../dom.js";
import { lastPlaceOf, placeOf } from "./sheets.js";

const PARTIAL = "partial";
const MOST_OPEN = 14; // a longer working shows only its last lines until expanded

/**
 * @param {object} working from the answer of `stage_values`
 * @param {object} context `book`, `lang`, `t`, `window`, `words`, `sizes`
 * @param {object} options `hides(key, cell)`: whether a number is shown as "?"; `onOperand(ref)`
 */
export function linesOf(working, context, { hides = () => false, onOperand }) {
  const isHidden = hiddenIn(working, hides);
  const items = working.lines.map((line, index) =>
    lineItem(line, context, { isHidden, onOperand, isLast: index === working.lines.length - 1 }),
  );
  if (items.length <= MOST_OPEN) return [el("ol", { class: "mg-lines" }, items)];
  const early = items.slice(0, -3);
  return [
    el(
      "details",
      { class: "mg-lines-early" },
      el("summary", {}, context.t("working.early_lines", { count: early.length })),
      el("ol", { class: "mg-lines" }, early),
    ),
    el("ol", { class: "mg-lines", start: early.length + 1 }, items.slice(-3)),
  ];
}

/** Whether a working contains a hidden number. */
export function hidesAny(working, hides) {
  const isHidden = hiddenIn(working, hides);
  return working.lines.some((line) => refsOf(line).some(isHidden));
}

/** A test for the numbers of a working: hidden cells, and partial sums of or from such a cell. */
function hiddenIn(working, hides) {
  const isCell = ({ key, cell }) => key !== PARTIAL && hides(key, cell);
  const isAny = working.lines.some((line) => refsOf(line).some(isCell));
  return (ref) => (ref.key === PARTIAL ? isAny : isCell(ref));
}

function refsOf(line) {
  return [line.target, ...line.pieces.map(({ ref }) => ref).filter(Boolean)];
}

function lineItem(line, context, { isHidden, onOperand, isLast }) {
  const pieces = inTerms(line.pieces).map((term) =>
    typeof term === "string"
      ? term
      : el("span", { class: "mg-term" }, term.map((piece) => pieceNode(piece, context, { isHidden, onOperand }))),
  );
  const result = isHidden(line.target) ? "?" : line.result;
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
    refsOf(line).some(isHidden) ? null : notes.map((note) => el("span", { class: "mg-line-note" }, noteText(note, context))),
  );
}

/** The pieces grouped into terms, which no line break splits, and the signs between them. */
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

function pieceNode(piece, context, { isHidden, onOperand }) {
  const text = piece.ref && isHidden(piece.ref) ? "?" : piece.text;
  const value = piece.ref && context.book.valueOf(piece.ref.key);
  if (!value) return text;
  const isWeight = !("traced" in value);
  return el(
    "button",
    {
      type: "button",
      class: isWeight ? "mg-operand mg-operand-weight" : "mg-operand",
      "aria-label": `${text}${context.t("working.from")}${sourceOf(piece.ref, context)}`,
      title: sourceOf(piece.ref, context),
      dataset: { key: piece.ref.key, cell: piece.ref.cell.join(",") },
      onclick: () => onOperand(piece.ref),
    },
    text,
  );
}

/** Title of a value and place of the cell: "Q（query），头 1，喜欢（位置 1），通道 0". */
export function sourceOf(ref, context) {
  const value = context.book.valueOf(ref.key);
  return `${titleOf(value, context)}${context.t("working.comma")}${placeOf(value, ref.cell, context)}`;
}

/**
 * Title of a value or a weight; with its stage if others have the same title (each of the three
 * norms has a mean μ), and with its block if there are several.
 */
export function titleOf(value, { book, lang, t }) {
  const stage = book.homeOf(value.key);
  const parts = [book.textsOf(value)[lang]];
  if (book.isShared(value)) parts.unshift(book.texts.stages[stage.name].title[lang]);
  if (stage.block !== null && book.hasBlocks) parts.unshift(t("working.block", { number: stage.block + 1 }));
  return parts.join(" · ");
}

/** A line's label: title of its value, before the last line with the place of the cell; partial sums are numbered. */
function labelOf(line, context, isLast) {
  if (line.label === PARTIAL) return context.t("working.partial", { number: line.target.cell[0] + 1 });
  const value = context.book.valueOf(line.target.key);
  if (!value) return exampleLabel(line, context);
  const title = titleOf(value, context);
  return isLast || value.axes.length < 2 ? title : `${title} · ${lastPlaceOf(value, line.target.cell, context)}`;
}

/** The label of an example's line, whose values are not on the page. */
function exampleLabel(line, { book, lang, t }) {
  const title = book.texts.values[line.label][lang];
  const [, channel] = line.target.cell;
  return channel === undefined ? title : `${title} · ${t("working.place.channel", { number: channel })}`;
}

/** The longer form of a note, for the last line of a working. */
function inFull(note) {
  return note.key === "digits" ? { ...note, key: "digits_why" } : note;
}

/** A note as a sentence. */
export function noteText({ key, values }, { t, words }) {
  const shown = "word" in values ? { ...values, word: words[values.word] } : values;
  return t(`working.note.${key}`, shown);
}

/** The lines of a working: label, expression, relation, result and notes, each as text. */
export function linesAsText(working, context) {
  return working.lines.map((line, index) => ({
    ...line,
    label: labelOf(line, context, index === working.lines.length - 1),
    notes: line.notes.map((note) => noteText(note, context)),
  }));
}

/** The whole working as plain text, for a notebook or an e-mail. */
export function plainText(working, context) {
  const value = context.book.valueOf(working.key);
  const title = `${titleOf(value, context)} ${working.key}[${working.cell.join(", ")}]`;
  const lines = linesAsText(working, context).flatMap(({ label, expression, relation, result, notes }) => [
    `${label}${context.t("working.colon")}${expression} ${relation} ${result}`,
    ...notes.map((note) => `    ${note}`),
  ]);
  return [title, placeOf(value, working.cell, context), ...lines].join("\n");
}
