/** The result of a comparison: the next words, the difference of every value, one value in full. */

import { el, replace } from "../../dom.js";
import { number, scientific, signed } from "../../format.js";
import { stagesOf } from "../../map/stages.js";
import { roundingNoteOfRows, withRest } from "../../rounded_sum.js";
import { MOST_BARS } from "../../map/sizes.js";
import { LESSON_A, LESSON_B } from "../../state.js";
import { tensorTables } from "./tensor_tables.js";

export function createComparison(app) {
  const { t } = app;
  const words = el("div", { class: "mg-scroll", tabindex: 0 });
  const summary = el("p", { class: "mg-finding" });
  const values = el("div", { class: "mg-scroll", tabindex: 0 });
  const tensors = el("section", { class: "mg-both" });
  const element = el(
    "div",
    { class: "mg-comparison", hidden: true },
    el("div", { class: "mg-found" }, summary, words, values),
    tensors,
  );
  let answer = null;
  let chosen = null; // the value shown in full; null: the first that differs

  function draw() {
    if (!answer) return;
    replace(words, nextWords(answer, t));
    summary.textContent = finding(answer, app);
    replace(values, valuesTable(answer, present(), choose, t));
    replace(tensors, ...bothTensors(answer, present(), t));
  }

  function present() {
    const known = answer.values.some(({ name }) => name === chosen);
    return known ? chosen : (answer.first_last ?? answer.first ?? answer.values[0].name);
  }

  function choose(name) {
    chosen = name;
    draw();
    values.querySelector("[aria-pressed='true']")?.focus();
  }

  return {
    element,
    show(found) {
      answer = found;
      element.hidden = false;
      draw();
    },
    hide() {
      answer = null;
      element.hidden = true;
    },
    update: draw,
  };
}

function finding(answer, { t, vocabularies }) {
  const { values, first, first_last: firstLast } = answer;
  if (!first) return t("compare.all_same");
  if (!firstLast) return t("compare.last_same", { first });
  const before = values.findIndex(({ name }) => name === firstLast);
  if (before === 0) return t("compare.nothing_same", { first: firstLast });
  const said = t("compare.finding", { first: firstLast, same: before });
  return isLesson(answer, vocabularies) ? `${said} ${t("compare.lesson_finding")}` : said;
}

function isLesson({ left, right }, vocabularies) {
  if (!vocabularies.isLessons(left.model.id)) return false;
  return String(left.window) === String(LESSON_A) && String(right.window) === String(LESSON_B);
}

/** Of many words those that are most probable on one of the sides; the others are one row. */
function nextWords(answer, t) {
  const { left, right, probability_delta: delta } = answer;
  const columns = [t("compare.word"), "A", "B", "Δ = B − A"];
  const shown = mostProbable(answer);
  const rest = left.model.words.map((_, id) => id).filter((id) => !shown.includes(id));
  const sum = (values, ids) => ids.reduce((total, id) => total + values[id], 0);
  const wordRow = (name, ids) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      [
        number(sum(left.probabilities, ids)),
        delta ? number(sum(right.probabilities, ids)) : "—",
        delta ? signed(sum(delta, ids)) : "—",
      ].map((text) => el("td", { class: "mg-number" }, text)),
    );
  const shares = (delta ? [left, right] : [left]).map((side) => withRest(side.probabilities, shown));
  return el(
    "table",
    { class: "mg-next-words" },
    el("caption", {}, [t("compare.next_word"), roundingNoteOfRows(shares, t)].filter(Boolean).join(" ")),
    el("thead", {}, el("tr", {}, columns.map((text, at) => el("th", { scope: "col", class: at ? "mg-number" : "" }, text)))),
    el(
      "tbody",
      {},
      shown.map((id) => wordRow(left.model.words[id], [id])),
      rest.length ? wordRow(t("shell.other_words", { count: rest.length }), rest) : null,
    ),
  );
}

function mostProbable({ left, right, probability_delta: delta }) {
  const ids = left.probabilities.map((_, id) => id);
  if (ids.length <= MOST_BARS) return ids;
  const largest = (id) => Math.max(left.probabilities[id], delta ? right.probabilities[id] : 0);
  return ids.sort((one, other) => largest(other) - largest(one)).slice(0, MOST_BARS);
}

function valuesTable({ values, first, first_last: firstLast, left }, present, choose, t) {
  const stages = new Map(stagesOf(left.model.config, left.window.length).map((stage) => [stage.key, stage]));
  const heads = ["compare.value", "compare.last_position", "compare.all_positions", "compare.cells"];
  return el(
    "table",
    { class: "mg-values" },
    el("caption", {}, t("compare.values")),
    el("thead", {}, el("tr", {}, heads.map((key, at) => el("th", { scope: "col", class: at ? "mg-number" : "" }, t(key))))),
    el(
      "tbody",
      {},
      values.map(({ name, last, whole }) =>
        el(
          "tr",
          { class: name === present ? "mg-present" : "", dataset: { value: name } },
          el("th", { scope: "row" }, valueButton(name, stages.get(name), present, choose, t)),
          differenceCell(last, name === firstLast, t),
          differenceCell(whole, name === first, t),
          el("td", { class: "mg-number" }, whole.comparable ? `${whole.differing} / ${whole.cells}` : "—"),
        ),
      ),
    ),
  );
}

function valueButton(name, stage, present, choose, t) {
  const title = stage ? t(`map.stage.${stage.name}`) : "";
  return el(
    "button",
    { type: "button", class: "mg-value-button", "aria-pressed": String(name === present), onclick: () => choose(name) },
    el("span", {}, title),
    " ",
    el("code", {}, name),
  );
}

function differenceCell(difference, isFirst, t) {
  return el(
    "td",
    { class: difference.same ? "mg-number mg-same" : "mg-number" },
    isFirst && el("span", { class: "mg-first-mark" }, t("compare.first")),
    differenceText(difference, t),
  );
}

function differenceText({ in_both: inBoth, comparable, max_abs: distance, same }, t) {
  if (!inBoth) return t("compare.one_side");
  if (!comparable) return t("compare.not_comparable");
  if (same) return t("compare.same");
  if (distance === null) return "∞";
  return distance < 0.00005 ? scientific(distance) : number(distance);
}

function bothTensors({ left, right, changed }, name, t) {
  const sides = [
    ["A", left],
    ["B", right],
  ];
  const scale = Math.max(...sides.flatMap(([, { trace }]) => [trace[name] ?? []].flat(Infinity)).map(Math.abs), 1e-9);
  return [
    el("h3", {}, el("code", {}, name)),
    el("p", { class: "mg-note" }, t("compare.marked")),
    el("div", { class: "mg-both-sides" }, sides.map(([letter, side]) => {
      const stage = stagesOf(side.model.config, side.window.length).find(({ key }) => key === name);
      const vocabulary = side.model.words;
      const shown = { words: side.window.map((id) => vocabulary[id]), vocabulary, scale, changed: changed[name], t };
      return el(
        "figure",
        { class: "mg-scroll", tabindex: 0 },
        el("figcaption", {}, el("strong", {}, letter)),
        stage && side.trace[name] ? tensorTables(stage, side.trace[name], shown) : el("p", {}, t("compare.missing")),
      );
    })),
  ];
}
