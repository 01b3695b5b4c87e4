/** The worksheet of the current sentence and its solution, for printing. */

import { answered } from "../asking.js";
import { el } from "../dom.js";
import { number } from "../format.js";
import { roundingNoteOfValue } from "../rounded_sum.js";
import { viewRequest } from "../viewer.js";
import { showFormula } from "./formula.js";
import { titleOf } from "./lines.js";
import { cellOf, sheetsOf } from "./sheets.js";

const DECIMALS = 4;
const SECOND_CLICK_MS = 500;
const MOST_COLUMNS = 8; // on a portrait page

/** @param {() => object|null} reading `{book, context}` of the sentence shown */
export function createWorksheet({ server, store, t }, reading) {
  const title = el("h3", { class: "mg-working-subtitle" });
  const note = el("p", { class: "mg-note" });
  const blank = el("button", { type: "button", class: "mg-button", onclick: () => print(false) });
  const solved = el("button", { type: "button", class: "mg-button", onclick: () => print(true) });
  const element = el(
    "section",
    { class: "mg-worksheet" },
    title,
    note,
    el("div", { class: "mg-card-tools" }, blank, solved),
  );

  let isPrinting = false;

  async function print(isSolution) {
    if (isPrinting) return; // the second click of two
    isPrinting = true;
    const { book, context } = reading();
    try {
      const told = await answered(server.worksheet(viewRequest(store.get())));
      if (told) printAlone(await sheetOf(told, book, context, isSolution), element.closest(".mini-gpt"));
    } finally {
      setTimeout(() => (isPrinting = false), SECOND_CLICK_MS);
    }
  }

  return {
    element,
    update() {
      title.textContent = t("worksheet.title");
      note.textContent = t("worksheet.note");
      blank.textContent = t("worksheet.print");
      solved.textContent = t("worksheet.solution");
    },
  };
}

/** Print `sheet` and nothing else of the page, then remove it. */
function printAlone(sheet, page) {
  page.querySelector(".mg-sheet")?.remove();
  page.append(sheet);
  document.documentElement.classList.add("mg-printing");
  const clear = () => {
    sheet.remove();
    document.documentElement.classList.remove("mg-printing");
  };
  window.addEventListener("afterprint", clear, { once: true });
  window.print();
}

async function sheetOf({ stages, weights, decimals, shifted }, book, given, isSolution) {
  const context = { ...given, decimals: Math.max(decimals, DECIMALS), shifted };
  const { t } = context;
  const sentence = context.window.map((id) => context.words[id]).join(" ");
  const parts = [];
  for (const told of stages) {
    parts.push(await stopOf(told, weights, book, context, isSolution));
  }
  return el(
    "article",
    { class: isSolution ? "mg-sheet mg-sheet-solution" : "mg-sheet" },
    el(
      "header",
      { class: "mg-sheet-head" },
      el("h1", {}, t(isSolution ? "worksheet.heading_solution" : "worksheet.heading", { sentence })),
      isSolution ? null : el("p", { class: "mg-sheet-name" }, t("worksheet.name")),
      el("p", {}, t(isSolution ? "worksheet.how_solution" : "worksheet.how", { decimals: context.decimals })),
    ),
    parts,
  );
}

async function stopOf(told, weights, book, context, isSolution) {
  const { lang, t } = context;
  const stage = book.homeOf(told.key);
  const formula = el("div", { class: "mg-sheet-formula" });
  await showFormula(formula, stage.name);
  const block = stage.block === null ? "" : ` (${t("working.block", { number: stage.block + 1 })})`;
  const given = stage.weights.map((value) => ({ ...value, isGiven: true }));
  const tables = [...given, ...stage.values].flatMap((value) => {
    const numbers = value.isGiven ? weights[value.key] : told.values[value.key];
    const isBlank = (cell) => !value.isGiven && cellOf(told.blanks[value.key], cell);
    return tablesOf(value, numbers, isBlank, book, context, isSolution);
  });
  return el(
    "section",
    { class: "mg-sheet-stage" },
    el("h2", {}, `${stage.number}. ${book.texts.stages[stage.name].title[lang]}${block}`),
    formula,
    stage.values.some(({ key }) => context.shifted.includes(key))
      ? el("p", {}, t("working.note.shifted"))
      : null,
    el("div", { class: "mg-sheet-tables" }, tables),
    isSolution ? exampleOf(told.example, context) : null,
  );
}

function tablesOf(value, numbers, isBlank, book, context, isSolution) {
  if (!numbers || (value.isGiven && isUntold(value, numbers))) return [];
  const shape = value.isGiven ? value.shape : book.shapeOf(value, context.window.length);
  const textAt = (cell) => {
    if (!isBlank(cell)) return textOf(value, cellOf(numbers, cell), context, context.decimals);
    return isSolution ? textOf(value, cellOf(numbers, cell), context, DECIMALS) : "";
  };
  const note = value.isGiven ? "" : roundingNoteOfValue(value, numbers, context.t, (_, cell) => textAt(cell));
  return [
    ...sheetsOf(value, { ...context, shape })
      .flatMap(inWidth)
      .map((sheet) => tableOf(value, sheet, isBlank, textAt, context)),
    note && el("p", { class: "mg-sheet-rounding" }, note),
  ];
}

function tableOf(value, sheet, isBlank, textAt, context) {
  const head = sheet.head === null ? "" : ` · ${context.t("working.head", { number: sheet.head + 1 })}`;
  const cellAt = (row, column) => {
    const cell = sheet.at(row, column);
    return el("td", { class: isBlank(cell) ? "mg-sheet-blank" : "" }, textAt(cell));
  };
  const rowOf = (row, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, row.text, row.detail ? el("sub", {}, row.detail) : null),
      sheet.columns.map((_, column) => cellAt(index, column)),
    );
  return el(
    "table",
    {},
    el("caption", {}, titleOf(value, context), head),
    el("thead", {}, el("tr", {}, el("td"), sheet.columns.map(({ text }) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, sheet.rows.map(rowOf)),
  );
}

/** Split a table that is wider than the paper. */
function inWidth(sheet) {
  const count = Math.ceil(sheet.columns.length / MOST_COLUMNS);
  return Array.from({ length: count }, (_, part) => ({
    ...sheet,
    columns: sheet.columns.slice(part * MOST_COLUMNS, (part + 1) * MOST_COLUMNS),
    at: (row, column) => sheet.at(row, column + part * MOST_COLUMNS),
  }));
}

/** A gain of ones or a bias of zeros: not printed, as the sheet says once. */
function isUntold({ shape, name }, numbers) {
  if (shape.length > 1) return false;
  return numbers.every((each) => each === (name.endsWith(".bias") ? 0 : 1));
}

/** A number with `decimals` decimals; a given number that is exact with four has four. */
function textOf(value, raw, { words }, decimals) {
  if (value.name === "next_id") return words[raw];
  const isShort = raw === null || Number(raw.toFixed(DECIMALS)) === raw;
  return number(raw, isShort ? DECIMALS : decimals);
}

function exampleOf(lines, { book, lang, t }) {
  return el(
    "ol",
    { class: "mg-sheet-example", "aria-label": t("worksheet.example") },
    lines.map(({ label, text }) =>
      el("li", {}, `${book.texts.values[label]?.[lang] ?? label}${t("working.colon")}${text}`),
    ),
  );
}

