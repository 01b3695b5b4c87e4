/** One value as tables of buttons: rows are words, columns are channels, units or words. */

import { probabilityColour, valueColour, wordColour } from "../colours.js";
import { listenForKeys } from "../composing.js";
import { el, setAttribute, setStyle, setText } from "../dom.js";
import { number } from "../format.js";
import { roundingNoteOfValue } from "../rounded_sum.js";
import { cellOf, columnKind, placeOf, sheetsOf } from "./sheets.js";

const PROBABILITIES = new Set(["attention_probs", "vocabulary_probs", "phi"]);
const DECIMALS = 4;
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/**
 * @param {object} value `{key, name, axes, batch}` of the book
 * @param {object} context `shape`, `window`, `words`, `sizes`, `t`, `title`
 * @param {(cell: number[]) => void} onOpen
 */
export function createTable(value, context, onOpen) {
  const buttons = new Map(); // "1,0" -> button
  const note = el("p", { class: "mg-note mg-rounding", hidden: true });
  const tables = sheetsOf(value, context).map((sheet) => createSheet(sheet, value, context, buttons));
  const element = el(
    "div",
    { class: "mg-value", dataset: { key: value.key } },
    told(value, context),
    tables.map((table) => el("div", { class: "mg-value-scroll" }, table)),
    note,
  );
  element.addEventListener("click", (event) => {
    const button = event.target.closest(".mg-cell");
    if (button) onOpen(button.dataset.cell.split(",").map(Number));
  });
  listenForKeys(element, (event) => moveFocus(event, element));

  function showCell(button, cell, values, look) {
    const raw = cellOf(values, cell);
    const isHidden = look.isHidden(cell);
    const text = isHidden ? "?" : cellText(value, raw, context);
    const spoken = isHidden ? context.t("working.hidden") : text;
    setText(button, text);
    setStyle(button, "--cell", isHidden ? "var(--mg-raised)" : colour(value, raw, look.scale, context));
    button.classList.toggle("mg-zero", !isHidden && raw === 0);
    button.classList.toggle("mg-solved", look.isSolved(cell));
    button.classList.toggle("mg-used", look.isUsed(cell));
    button.classList.toggle("mg-edited", look.isEdited(cell));
    setAttribute(button, "aria-current", look.isOpen(cell) && "true");
    setAttribute(button, "aria-label", `${placeOf(value, cell, context)}${context.t("working.colon")}${spoken}`);
  }

  return {
    element,
    /**
     * @param {Array} values nested lists
     * @param {object} look `isHidden`, `isSolved`, `isUsed`, `isEdited`, `isOpen`: cell -> boolean;
     *   `scale`: the absolute value that has the full colour, the map's
     */
    update(values, look) {
      let entry = null;
      for (const [id, button] of buttons) {
        const cell = id.split(",").map(Number);
        showCell(button, cell, values, look);
        if (!entry || look.isOpen(cell)) entry = button;
      }
      const textAt = (raw, cell) => (look.isHidden(cell) ? null : cellText(value, raw, context));
      setText(note, roundingNoteOfValue(value, values, context.t, textAt));
      note.hidden = note.textContent === "";
      // One tab stop; arrow keys move from there.
      for (const button of buttons.values()) setAttribute(button, "tabindex", button === entry ? "0" : "-1");
    },
    focus: (cell) => buttons.get(cell.join(","))?.focus(),
    buttonOf: (cell) => buttons.get(cell.join(",")),
  };
}

function createSheet(sheet, value, context, buttons) {
  const head = el("tr", {}, el("td", { class: "mg-corner" }, cornerText(value, context)), sheet.columns.map((column) => header(column, "col")));
  const rows = sheet.rows.map((row, rowIndex) =>
    el(
      "tr",
      {},
      header(row, "row"),
      sheet.columns.map((_, columnIndex) => {
        const id = sheet.at(rowIndex, columnIndex).join(",");
        const button = el("button", { type: "button", class: "mg-cell", dataset: { cell: id } });
        buttons.set(id, button);
        return el("td", {}, button);
      }),
    ),
  );
  return el(
    "table",
    { class: "mg-value-table" },
    caption(sheet, context),
    el("thead", {}, head),
    el("tbody", {}, rows),
  );
}

/** Title, key, and shape in letters and in numbers. */
function told(value, { title, shape }) {
  const letters = (value.batch ? ["B", ...value.axes] : value.axes).join(", ");
  const figures = (value.batch ? [1, ...shape] : shape).join(", ");
  return el(
    "p",
    { class: "mg-value-told" },
    el("span", { class: "mg-value-title" }, title),
    " ",
    el("code", {}, value.key),
    " ",
    el("span", { class: "mg-value-shape" }, `[${letters}] = [${figures}]`),
  );
}

function caption({ head }, { title, t }) {
  if (head === null) return el("caption", { class: "mg-hidden" }, title);
  return el("caption", {}, el("span", { class: "mg-hidden" }, title, " "), t("working.head", { number: head + 1 }));
}

function cornerText(value, { t }) {
  const kind = columnKind(value.axes.at(-1));
  return kind && value.axes.length > 1 ? t(`working.columns.${kind}`) : "";
}

function header(head, scope) {
  if (!head.text) return el("td");
  const dot = head.word === null ? null : el("span", { class: "mg-dot", style: { "--hue": wordColour(head.word) } });
  const detail = head.detail ? el("span", { class: "mg-detail" }, head.detail) : null;
  return el("th", { scope }, dot, head.text, detail);
}

function cellText(value, raw, { words }) {
  if (raw === undefined) return "";
  if (value.name === "next_id") return words[raw];
  return number(raw, DECIMALS);
}

function colour(value, raw, scale, { words }) {
  if (value.name === "next_id") return words[raw] === undefined ? "" : `color-mix(in oklab, ${wordColour(raw)} 22%, var(--mg-surface))`;
  if (PROBABILITIES.has(value.name)) return probabilityColour(raw);
  return valueColour(raw, scale);
}

/** Arrow keys move between cells, across the tables of one value. */
function moveFocus(event, element) {
  const step = STEPS[event.key];
  const button = event.target.closest(".mg-cell");
  if (!step || !button || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const rows = [...element.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(".mg-cell")]);
  const row = rows.findIndex((cells) => cells.includes(button));
  const target = rows[row + step[0]]?.[rows[row].indexOf(button) + step[1]];
  if (!target) return;
  button.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
