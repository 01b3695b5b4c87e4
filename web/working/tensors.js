/** The tables of a stage: its weights, and all its values. */

import { el, replace, setText } from "../dom.js";
import { titleOf } from "./lines.js";
import { createTable } from "./table.js";

const MOST_CELLS = 4096; // of one value; as in ui/panels/working.py
const MOST_OPEN = 256; // cells of a weight that is shown without a click

/** @param {(key: string, cell: number[]) => void} onOpen */
export function createTensors({ t }, onOpen) {
  const given = el("div", { class: "mg-tensors-given" });
  const computed = el("div", { class: "mg-tensors-computed" });
  const shift = el("p", { class: "mg-note mg-tensors-shifted", hidden: true });
  const element = el("div", { class: "mg-tensors" }, shift, computed, given);
  let tables = new Map(); // key -> table
  let drawn = null;

  function build({ state, stage, context }) {
    const next = new Map();
    const make = (value, shape) => {
      const title = titleOf(value, context);
      if (sizeOf(shape) > MOST_CELLS) return el("p", { class: "mg-note" }, title, t("working.colon"), t("working.large_value"));
      const table = createTable(value, { ...context, shape, title }, (cell) => onOpen(value.key, cell));
      next.set(value.key, table);
      return table.element;
    };
    const values = stage.values.map((value) =>
      make(value, context.book.shapeOf(value, context.window.length)),
    );
    const weights = stage.weights.map((value) => framed(value, make(value, value.shape), state));
    replace(computed, values);
    replace(given, weights.length ? el("h3", { class: "mg-working-subtitle" }, t("working.weights")) : null, weights);
    given.hidden = weights.length === 0;
    tables = next;
  }

  /** A large weight is collapsed until it is opened. */
  function framed(value, table, state) {
    if (sizeOf(value.shape) <= MOST_OPEN) return table;
    const isOpen = state.stage === value.key;
    return el("details", { open: isOpen }, el("summary", {}, t("working.large_weight", { name: value.name })), table);
  }

  return {
    element,
    update({ state, stage, context, values, scale, working, practice, shifted }) {
      const id = JSON.stringify([state.model, stage.key, context.window, state.lang]);
      const focus = drawn === id ? null : focusedCell(element);
      if (drawn !== id) build({ state, stage, context });
      drawn = id;
      shift.hidden = !shifted?.length;
      setText(shift, t("working.note.shifted"));
      const used = usedCells(working);
      for (const [key, table] of tables) {
        const numbers = values[key] ?? [];
        table.update(numbers, {
          scale,
          isHidden: (cell) => practice.hides(key, cell),
          isSolved: (cell) => practice.isOn() && practice.isSolved(key, cell),
          isUsed: (cell) => used.has(`${key} ${cell}`),
          isEdited: (cell) => state.edits[key]?.[cell.join(",")] !== undefined,
          isOpen: (cell) => state.stage === key && `${state.cell}` === `${cell}`,
        });
      }
      if (focus) tables.get(focus.key)?.focus(focus.cell);
    },
  };
}

function sizeOf(shape) {
  return shape.reduce((all, each) => all * each, 1);
}

function usedCells(working) {
  const refs = (working?.lines ?? []).flatMap((line) => line.pieces.map((piece) => piece.ref));
  return new Set(refs.filter(Boolean).map((ref) => `${ref.key} ${ref.cell}`));
}

function focusedCell(element) {
  const button = element.contains(document.activeElement) ? document.activeElement : null;
  if (!button?.dataset.cell) return null;
  return {
    key: button.closest(".mg-value").dataset.key,
    cell: button.dataset.cell.split(",").map(Number),
  };
}
