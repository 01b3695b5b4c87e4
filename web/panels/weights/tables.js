/**
 * Every weight under its lesson name, as an editable table. Values are the originals with the
 * state's edits applied; the server decides whether a typed value is accepted.
 */

import { countEdits, editsWithin, editsWithout } from "../../changes.js";
import { el, replace } from "../../dom.js";
import { createLatest } from "../../asking.js";
import { createWeightTable } from "./table.js";

export function createWeightTables(container, app) {
  const { store, t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const resetAll = el("button", {
    type: "button",
    class: "mg-button",
    onclick: () => store.set({ edits: {} }),
  });
  const groups = el("div", { class: "mg-weight-groups" });
  container.append(el("div", { class: "mg-panel-head" }, heading, resetAll), lead, groups);
  let tables = [];
  let titles = [];

  const ask = createLatest(server.weights, (answer) => {
    tables = answer.tables.map((table) =>
      createTable({ ...table, count: table.originals.length, headSize: answer.head_size }, app),
    );
    titles = [];
    const blocks = [...new Set(tables.map(({ table }) => groupOf(table)))];
    replace(groups, blocks.map(section));
    update(store.get(), app.viewer.view());
  });

  function section(group) {
    const title = el("h3");
    titles.push([title, group]);
    const members = tables.filter(({ table }) => groupOf(table) === group);
    return el("section", { class: "mg-weight-group" }, title, members.map(({ element }) => element));
  }

  function update(state, view) {
    heading.textContent = t("weights.weights");
    lead.textContent = t("weights.lead", { limit: 1000 });
    resetAll.textContent = t("weights.reset_all");
    resetAll.disabled = countEdits(state.edits) === 0;
    for (const [title, group] of titles) title.textContent = groupTitle(group, t);
    for (const table of tables) table.update(state, view);
    ask({ model: state.model });
  }

  return { update };
}

function groupOf({ block, name }) {
  if (block !== null) return `block ${block}`;
  return name.endsWith("_table") ? "input" : "output";
}

function groupTitle(group, t) {
  const [kind, block] = group.split(" ");
  return kind === "block" ? t("map.block", { number: Number(block) + 1 }) : t(`weights.group.${kind}`);
}

/** One collapsible table, drawn when first opened. */
function createTable(table, app) {
  const { store, t } = app;
  const name = el("span", { class: "mg-weight-name" });
  const about = el("span", { class: "mg-note" });
  const badge = el("span", { class: "mg-badge", hidden: true });
  const reset = el("button", {
    type: "button",
    class: "mg-button mg-quiet",
    onclick: () => store.set({ edits: editsWithout(store.get().edits, table) }),
  });
  const body = el("div", { class: "mg-weight-body" });
  const element = el(
    "details",
    { class: "mg-weight", ontoggle: open },
    el("summary", {}, name, badge, about),
    body,
  );
  let cells = null;

  function open() {
    if (!element.open || cells) return;
    cells = createWeightTable(table, app);
    body.append(cells.element, reset);
    update(store.get(), app.viewer.view());
  }

  function update(state, view) {
    const count = Object.keys(editsWithin(state.edits, table)).length;
    name.textContent = t(`weights.table.${table.name}`);
    about.textContent = aboutTable(table, t);
    badge.hidden = count === 0;
    badge.textContent = t("weights.changed", { count });
    reset.textContent = t("weights.reset");
    reset.setAttribute("aria-label", t("weights.reset_of", { name: name.textContent }));
    reset.disabled = count === 0;
    cells?.update(state, view);
  }

  element.open = table.name === "token_table";
  return { table, element, update };
}

function aboutTable({ parameter, originals, columns, first, count }, t) {
  const shape = columns === null ? `[${count}]` : `[${count}, ${originals[0].length}]`;
  const isPart = parameter.endsWith("qkv.weight");
  const rows = isPart ? t("weights.rows", { first, last: first + count - 1 }) : "";
  return `${shape} · ${parameter}${rows}`;
}
