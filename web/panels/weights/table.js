/**
 * The cells of one weight table. Enter (or leaving the cell) sends the typed value to the server;
 * Escape restores the current value; arrow up and down go to the cells above and below; a pasted
 * block fills the cells to the right and below. A refused value changes nothing.
 */

import { answered } from "../../asking.js";
import { merged } from "../../changes.js";
import { valueColour } from "../../colours.js";
import { el } from "../../dom.js";
import { number } from "../../format.js";
import { viewRequest } from "../../viewer.js";

export function createWeightTable(table, app) {
  const rows = table.columns === null ? [table.originals] : table.originals;
  const scale = Math.max(...rows.flat().map(Math.abs), 1e-9);
  const columnHeads = rows[0].map(() => el("th", { scope: "col" }));
  const rowHeads = rows.map(() => el("th", { scope: "row" }));
  const caption = el("caption", { class: "mg-hidden" });
  const cells = rows.map((row, down) =>
    row.map((original, right) => createCell(table, placeOf(table, down, right), original, scale, app)),
  );
  const element = el(
    "div",
    { class: "mg-scroll" },
    el(
      "table",
      { class: "mg-weights", onkeydown: (event) => moveFocus(event, cells) },
      caption,
      el("thead", {}, el("tr", {}, el("td"), columnHeads)),
      el(
        "tbody",
        {},
        cells.map((row, down) => el("tr", {}, rowHeads[down], row.map((cell) => cell.element))),
      ),
    ),
  );

  return {
    element,
    update(state, view) {
      const { t } = app;
      const heads = headings(table, view, t);
      caption.textContent = t(`weights.table.${table.name}`);
      for (const [at, head] of columnHeads.entries()) head.textContent = heads.column(at);
      for (const [at, head] of rowHeads.entries()) head.textContent = heads.row(at);
      for (const [down, row] of cells.entries()) {
        for (const [right, cell] of row.entries()) {
          cell.update(state, [heads.row(down), heads.column(right)].filter(Boolean).join(" · "));
        }
      }
    },
  };
}

/** The parameter index of a table cell, as edits name it. */
function placeOf({ columns, first }, down, right) {
  return columns === null ? String(right) : `${first + down},${right}`;
}

/** Row and column headings; a vector is one row without a heading. */
function headings({ rows, columns, headSize }, { model }, t) {
  const called = (kind, at) => {
    if (kind === "word") return model.words[at];
    if (kind !== "head_output") return t(`weights.axis.${kind}`, { at });
    return t("weights.axis.head_output", { at, head: Math.floor(at / headSize) + 1 });
  };
  if (columns === null) return { row: () => "", column: (at) => called(rows, at) };
  return { row: (at) => called(rows, at), column: (at) => called(columns, at) };
}

function createCell(table, place, original, scale, app) {
  const { store, server, t, alert } = app;
  const was = el("span", { class: "mg-was", hidden: true });
  const input = el("input", {
    type: "text",
    inputmode: "text",
    class: "mg-weight-input",
    autocomplete: "off",
    spellcheck: "false",
    onfocus: () => {
      input.value = exact(value());
      input.select();
    },
    onblur: commit,
    onpaste: pasteBlock,
    onkeydown: (event) => {
      if (event.key === "Enter") commit();
      if (event.key !== "Escape") return;
      event.preventDefault(); // it does not close the panel too
      restore();
    },
  });
  const element = el("td", { class: "mg-weight-cell" }, input, was);

  let sent = null;
  const value = () => store.get().edits[table.parameter]?.[place] ?? original;

  function commit() {
    const isFocused = document.activeElement === input;
    const typed = input.value;
    if (typed.trim() === exact(value()) || (!isFocused && typed === short(value()))) return restore();
    return send(typed);
  }

  async function send(text) {
    if (text === sent) return; // Enter has sent it already
    sent = text;
    const asked = { ...viewRequest(store.get()), parameter: table.parameter, index: place, text };
    const answer = await answered(server.edit_weight(asked)).finally(() => (sent = null));
    if (answer) {
      alert.clear("input");
      store.set({ edits: merged(store.get().edits, answer.edits) });
    }
    restore();
  }

  function pasteBlock(event) {
    const text = event.clipboardData.getData("text/plain");
    if (!/[\t\n\r]/.test(text.trim())) return;
    event.preventDefault();
    send(text);
  }

  function restore() {
    const isFocused = document.activeElement === input;
    input.value = isFocused ? exact(value()) : short(value());
  }

  function update(state, name) {
    const present = value();
    const isChanged = present !== original;
    if (document.activeElement !== input) input.value = short(present);
    input.setAttribute("aria-label", isChanged ? t("weights.cell_changed", { name, was: short(original) }) : name);
    element.classList.toggle("mg-cell-changed", isChanged);
    element.style.setProperty("--cell", valueColour(present, scale));
    was.hidden = !isChanged;
    was.textContent = t("weights.was", { value: short(original) });
  }

  return { element, input, update };
}

function moveFocus(event, cells) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  for (const [down, row] of cells.entries()) {
    const right = row.findIndex(({ input }) => input === event.target);
    const next = right < 0 ? null : cells[down + step]?.[right];
    if (next) {
      event.preventDefault();
      next.input.focus();
      return;
    }
  }
}

/** A weight as the page shows it: at most four decimals, no trailing zeros. */
function short(value) {
  const text = number(value);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A weight with all its digits, for editing. */
function exact(value) {
  return String(value);
}
