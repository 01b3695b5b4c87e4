/** Trained and hand-set weights side by side, one table at a time. */

import { valueColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { createFold } from "../../fold.js";
import { number } from "../../format.js";
import { createLatest } from "../../asking.js";

const DECIMALS = 2;
const HAND = "teaching";

export function createBeside(container, app) {
  const { t, server, store, viewer, vocabularies } = app;
  const wordsOf = (model) => vocabularies.words(model) ?? [];
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const label = el("span", { class: "mg-field-label" });
  const select = el("select", { class: "mg-input mg-select", onchange: () => draw() });
  const tables = el("div", { class: "mg-beside" });
  const field = el("label", { class: "mg-field" }, label, select);
  const fold = createFold(t, () => draw());
  const rowFold = createFold(t, () => draw(), "rows");
  container.append(el("section", {}, el("div", { class: "mg-panel-head" }, heading, field), lead, fold.element, rowFold.element, tables));
  let both = null;

  const ask = createLatest(
    async ({ model }) => {
      const [hand, learned] = await Promise.all([HAND, model].map((id) => server.weights({ model: id })));
      return { hand: hand.tables, learned: learned.tables };
    },
    (answer) => {
      both = answer;
      draw();
    },
  );

  function draw() {
    if (!both) return;
    const keys = both.learned.map(keyOf);
    const chosen = keys.includes(select.value) ? select.value : keys[0];
    replace(select, both.learned.map((table) => el("option", { value: keyOf(table) }, titleOf(table, t))));
    select.value = chosen;
    const [hand, learned] = [both.hand, both.learned].map((from) => from.find((table) => keyOf(table) === chosen));
    const scale = Math.max(...[hand, learned].flatMap(numbersOf).map(Math.abs), 1e-9);
    const shown = shownBeside(store.get().model);
    const places = placesOf(learned, wordsOf(shown), shown === store.get().model ? viewer.view().window : []);
    replace(
      tables,
      side(t("training.by_hand"), hand, scale, wordsOf(HAND), t),
      side(t(`training.beside_${kindOf(store.get().model)}`), learned, scale, wordsOf(shown), t, places),
    );
  }

  /** The rows of a table that are shown: of the words first those of the sentence. */
  function placesOf(table, words, said) {
    const isOfWords = table.rows === "word" && table.columns !== null;
    const [used, unused] = isOfWords ? [fold, rowFold] : [rowFold, fold];
    unused.element.hidden = true;
    return used.shown(rowsOf(table).map((_, at) => rowName(table, at, words)), isOfWords ? said : []);
  }

  return {
    update({ model }) {
      heading.textContent = t("training.beside");
      lead.textContent = t("training.beside_lead");
      label.textContent = t("training.beside_table");
      draw();
      ask({ model: shownBeside(model) });
    },
  };
}

/** Which trained weights to show: the page's model, or the shipped ones while the page shows the hand-set weights. */
function shownBeside(model) {
  return model === HAND ? "trained" : model;
}

function kindOf(model) {
  return model.startsWith("own:") ? "own" : "trained";
}

function keyOf({ name, block }) {
  return `${name} ${block ?? ""}`;
}

function titleOf({ name, block }, t) {
  const title = t(`weights.table.${name}`);
  return block === null ? title : t("weights.in_block", { block: block + 1, name: title });
}

function rowsOf(table) {
  return table.columns === null ? [table.originals] : table.originals;
}

function numbersOf(table) {
  return table ? rowsOf(table).flat() : [];
}

/** @param {number[]} [places] the rows that are shown, if not all */
function side(title, table, scale, words, t, places = null) {
  const caption = el("caption", {}, title);
  if (!table) {
    return el("table", { class: "mg-beside-table" }, caption, el("tbody", {}, el("tr", {}, el("td", {}, t("training.beside_none")))));
  }
  const values = rowsOf(table);
  const rows = (places ?? [...values.keys()]).map((at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, rowName(table, at, words)),
      values[at].map((value) => el("td", { class: "mg-number", style: { "--cell": valueColour(value, scale) } }, number(value, DECIMALS))),
    ),
  );
  return el("div", { class: "mg-scroll", tabindex: 0 }, el("table", { class: "mg-beside-table" }, caption, el("tbody", {}, rows)));
}

function rowName({ rows, columns }, at, words) {
  if (columns === null) return "";
  return rows === "word" ? words[at] : String(at);
}
