/**
 * The cells of one weight table. Enter (or leaving the cell) sends the typed value to the server;
 * Escape restores the current value; arrow up and down go to the cells above and below; a pasted
 * block fills the cells to the right and below. A refused value changes nothing.
 */

import { answered } from "../../asking.js";
import { editsWithin, merged } from "../../changes.js";
import { valueColour } from "../../colours.js";
import { el } from "../../dom.js";
import { createFold } from "../../fold.js";
import { number } from "../../format.js";
import { viewRequest } from "../../viewer.js";

export function createWeightTable(table, app) {
  const rows = table.columns === null ? [table.originals] : table.originals;
  const scale = Math.max(...rows.flat().map(Math.abs), 1e-9);
  const fold = createFold(app.t, () => update(...latest), table.rows === "word" ? "words" : "rows");
  const pasted = el("p", { class: "mg-note" });
  const columnHeads = rows[0].map(() => el("th", { scope: "col" }));
  const caption = el("caption", { class: "mg-hidden" });
  const made = new Map(); // rows by their place, made when first shown
  const body = el("tbody");
  const element = el(
    "div",
    {},
    fold.element,
    pasted,
    el(
      "div",
      { class: "mg-scroll" },
      el(
        "table",
        { class: "mg-weights", onkeydown: (event) => moveFocus(event, present.map(({ cells }) => cells)) },
        caption,
        el("thead", {}, el("tr", {}, el("td"), columnHeads)),
        body,
      ),
    ),
  );
  let latest = null; // state and view
  let present = []; // the rows that are shown

  function rowAt(down) {
    if (!made.has(down)) {
      const head = el("th", { scope: "row" });
      const cells = rows[down].map((original, right) => createCell(table, placeOf(table, down, right), original, scale, app));
      const row = el("tr", {}, head, cells.map((cell) => cell.element));
      made.set(down, { down, row, head, cells });
    }
    return made.get(down);
  }

  /** Rows in the table's order, so that arrow keys and a pasted block go where they are seen to go. */
  function placesOf(state, view, names) {
    const edited = Object.keys(editsWithin(state.edits, table)).map((key) => Number(key.split(",")[0]) - table.first);
    const focused = present.filter(({ row }) => row.contains(document.activeElement)).map(({ down }) => down);
    const said = { word: view.window, position: [...view.window.keys()] }[table.rows] ?? [];
    return fold.shown(names, said, table.columns === null ? [] : [...edited, ...focused]).sort((one, other) => one - other);
  }

  function update(state, view) {
    latest = [state, view];
    const { t } = app;
    const heads = headings(table, view, t);
    caption.textContent = t(`weights.table.${table.name}`);
    for (const [at, head] of columnHeads.entries()) head.textContent = heads.column(at);
    const shown = placesOf(state, view, rows.map((_, at) => heads.row(at)));
    pasted.hidden = shown.length === rows.length;
    pasted.textContent = t("fold.pasted");
    present = shown.map(rowAt);
    arrange(body, present);
    for (const { down, head, cells } of present) {
      head.textContent = heads.row(down);
      for (const [right, cell] of cells.entries()) {
        cell.update(state, [heads.row(down), heads.column(right)].filter(Boolean).join(" · "));
      }
    }
  }

  return { element, update };
}

/** Put these rows into `body` without taking out one that stays, which may have the focus. */
function arrange(body, present) {
  const wanted = new Set(present.map(({ row }) => row));
  for (const row of [...body.rows]) if (!wanted.has(row)) row.remove();
  for (const [at, { row }] of present.entries()) {
    if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] ?? null);
  }
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
