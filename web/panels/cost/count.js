/** Multiplications for one next word: one matrix product per row, with its formula and numbers; then the bytes read. */

import { el, replace } from "../../dom.js";
import { whole } from "./whole.js";

export function createCount({ t }) {
  const letters = el("p", { class: "mg-note" });
  const table = el("table", { class: "mg-cost-table" });
  const bars = el("div", { class: "mg-cost-bars" });
  const notes = el("div", { class: "mg-note mg-cost-notes" });

  function row(product) {
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        t(`cost.${product.name}`),
        el("span", { class: "mg-cost-formula" }, product.letters),
      ),
      worked(product.without),
      worked(product.cached),
    );
  }

  function drawTable({ products, multiplications, sizes }) {
    replace(
      table,
      el("caption", {}, t("cost.table")),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, t("cost.part")),
          el("th", { scope: "col", class: "mg-number" }, t("cost.without", { T: sizes.T })),
          el("th", { scope: "col", class: "mg-number" }, t("cost.cached")),
        ),
      ),
      el("tbody", {}, products.map(row)),
      el(
        "tfoot",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "row" }, t("cost.sum")),
          el("td", { class: "mg-number" }, whole(multiplications.without)),
          el("td", { class: "mg-number" }, whole(multiplications.cached)),
        ),
      ),
    );
  }

  function drawNotes({ length, multiplications, weight_bytes: weights, cache_bytes: cache }) {
    const saved =
      length === 1
        ? t("cost.same")
        : t("cost.saved", { times: whole(multiplications.times) });
    replace(
      notes,
      el("p", { class: "mg-cost-saved" }, saved),
      el("p", {}, t("cost.moved", { weights: whole(weights.cached), cache: whole(cache.cached) })),
      el("p", {}, t("cost.slid")),
      el("p", {}, t("cost.counted")),
    );
  }

  return {
    element: el(
      "section",
      { class: "mg-cost-count" },
      el("div", { class: "mg-cost-products" }, letters, el("div", { class: "mg-scroll", tabindex: 0 }, table)),
      el("div", { class: "mg-cost-beside" }, bars, notes),
    ),
    show(answer) {
      letters.textContent = t("cost.letters", answer.sizes);
      drawTable(answer);
      replace(
        bars,
        pairOfBars(t, "cost.multiplications", answer.multiplications),
        pairOfBars(t, "cost.bytes", answer.bytes),
      );
      drawNotes(answer);
    },
  };
}

function worked({ numbers, result }) {
  return el(
    "td",
    { class: "mg-number" },
    el("span", { class: "mg-cost-formula" }, numbers),
    whole(result),
  );
}

function pairOfBars(t, key, pair) {
  const bar = (kind) =>
    el(
      "div",
      { class: "mg-cost-bar" },
      el("dt", {}, t(`cost.bar_${kind}`)),
      el(
        "dd",
        { class: `mg-cost-${kind}`, style: { "--share": pair[`${kind}_share`] } },
        el("span", { class: "mg-number" }, whole(pair[kind])),
      ),
    );
  return el(
    "div",
    {},
    el("h3", {}, t(key)),
    el("dl", {}, bar("without"), bar("cached")),
  );
}
