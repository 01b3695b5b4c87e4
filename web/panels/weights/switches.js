/**
 * One row per switch: on or off, and its effect on each word's probability with all others as they
 * are. A row opens to show the exact numbers.
 */

import { toggled } from "../../changes.js";
import { valueColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { createFold } from "../../fold.js";
import { createDropoutFields } from "./dropout_fields.js";
import { number, signed } from "../../format.js";
import { createLatest } from "../../asking.js";
import { roundingNote, roundingNoteOfRows } from "../../rounded_sum.js";
import { viewRequest } from "../../viewer.js";

const MOST_FITTING = 5; // words whose columns fit beside the switches: see css/weights.css

export function createSwitches(container, app) {
  const { store, t, server, veil } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const allOn = el("button", {
    type: "button",
    class: "mg-button",
    onclick: () => store.set({ switches: {} }),
  });
  const head = el("tr");
  const body = el("tbody");
  const caption = el("caption", { class: "mg-hidden" });
  const table = el("table", { class: "mg-switches" }, caption, el("thead", {}, head), body);
  const fold = createFold(t, () => update(store.get(), app.viewer.view()));
  const scroller = el("div", { class: "mg-scroll" }, table);
  container.append(
    el("div", { class: "mg-panel-head" }, heading, allOn),
    lead,
    fold.element,
    scroller,
  );
  const rounding = el("p", { class: "mg-note mg-rounding", hidden: true });
  table.parentElement.after(rounding);
  const now = el("tr", { class: "mg-switch-now" });
  const rows = new Map(); // switch name -> its row, reused so that focus and open rows stay
  const dropout = createDropoutFields(app);
  let words = [];
  let shown = []; // the words that have a column
  let drawn = null; // those of the effects that stand there
  let wasOn = false; // whether results were hidden at the last update
  let told = null; // the last answer
  const orderOf = createOrder();

  const ask = createLatest(server.switch_effects, (answer) => {
    told = answer;
    draw(answer);
  });

  function draw(answer) {
    const known = [...answer.effects, answer.dropout_effect].filter((effect) => effect?.delta.length === words.length);
    const effects = new Map(known.map((effect) => [effect.name, effect]));
    const names = [...answer.names, "dropout"];
    for (const name of names) if (!rows.has(name)) rows.set(name, createRow(name, app, dropout));
    for (const name of rows.keys()) if (!names.includes(name)) rows.delete(name);
    const present = [now, ...names.flatMap((name) => rows.get(name).elements)];
    if (present.some((element, at) => body.children[at] !== element)) replace(body, present);
    for (const name of names) rows.get(name).show(veil.isOn() ? undefined : effects.get(name), words, shown, answer);
    dropout.update(answer);
    drawn = String(shown);
  }

  function update(state, view) {
    words = view.model.words;
    shown = fold.shown(words, orderOf(state, view));
    heading.textContent = t("weights.switches");
    lead.textContent = t("weights.switches_lead");
    allOn.textContent = t("weights.all_on");
    allOn.disabled = Object.keys(state.switches).length === 0;
    caption.textContent = t("weights.switches_caption");
    scroller.classList.toggle("mg-switches-fit", shown.length <= MOST_FITTING);
    replace(
      head,
      el("th", { scope: "col" }, t("weights.part")),
      shown.map((id) => el("th", { scope: "col", class: "mg-number" }, `Δ ${words[id]}`)),
      el("th", { scope: "col" }, el("span", { class: "mg-hidden" }, t("weights.exact"))),
    );
    replace(
      now,
      el("th", { scope: "row" }, t("weights.now")),
      shown.map((id) => el("td", { class: "mg-number" }, view.probabilities ? number(view.probabilities[id]) : "—")),
      el("td"),
    );
    const isWhole = shown.length === words.length; // else nobody can add up what stands there
    rounding.textContent = view.probabilities && isWhole ? roundingNote(view.probabilities, t) : "";
    rounding.hidden = rounding.textContent === "";
    if (told && (veil.isOn() !== wasOn || String(shown) !== drawn)) draw(told);
    wasOn = veil.isOn();
    for (const row of rows.values()) row.label(state, view);
    dropout.label();
    ask(viewRequest(state));
  }

  return { update };
}

/** The words' places, the most probable first; the same while only weights and switches change. */
function createOrder() {
  let of = null;
  let ids = [];
  return ({ model, tokens }, { model: { words }, probabilities }) => {
    const now = JSON.stringify([model, tokens]);
    if (of !== now && probabilities?.length === words.length) {
      of = now;
      ids = [...words.keys()].sort((one, other) => probabilities[other] - probabilities[one]);
    }
    return ids;
  };
}

function createRow(name, app, dropout) {
  const { store, t } = app;
  const isDropout = name === "dropout";
  const text = el("span");
  const toggle = el(
    "button",
    {
      type: "button",
      role: "switch",
      class: "mg-switch",
      onclick: () => (isDropout ? dropout.toggle() : store.set({ switches: toggled(store.get().switches, name) })),
    },
    el("span", { class: "mg-switch-track", "aria-hidden": "true" }),
    text,
  );
  const hint = el("p", { class: "mg-note" });
  const more = el("button", { type: "button", class: "mg-button mg-quiet mg-exact-button", onclick: openOrClose });
  const first = el("th", { scope: "row", class: "mg-switch-cell" }, toggle, isDropout && dropout.element);
  const cells = el("tr", { class: "mg-switch-row" }, first);
  const detail = el("td");
  const opened = el("tr", { class: "mg-switch-detail", hidden: true }, detail);

  function openOrClose() {
    opened.hidden = !opened.hidden;
    more.setAttribute("aria-expanded", String(!opened.hidden));
  }

  function label(state, { model }) {
    const called = switchName(name, model.config.num_layers, t);
    const isOn = isDropout ? state.switches.dropout > 0 : state.switches[name] !== false;
    toggle.setAttribute("aria-checked", String(isOn));
    cells.classList.toggle("mg-is-changed", isDropout ? isOn : !isOn);
    text.textContent = called;
    more.textContent = t("weights.exact");
    more.setAttribute("aria-expanded", String(!opened.hidden));
    more.setAttribute("aria-label", t("weights.exact_of", { name: called }));
    hint.textContent = hintOf(name, t);
  }

  /** @param {number[]} columns the words that are shown */
  function show(effect, words, columns, { shown_dropout: rate, dropout_seed: seed }) {
    const scale = 0.5; // a change of 0.5 has the full colour in every row
    replace(
      cells,
      first,
      columns.map((id) => deltaCell(effect?.delta[id] ?? null, words[id], scale)),
      el("td", { class: "mg-more-cell" }, more),
    );
    detail.colSpan = columns.length + 2;
    const told = isDropout ? t("weights.dropout_shown", { rate, seed }) : null;
    replace(detail, hint, told && el("p", { class: "mg-note" }, told), effect && exactTable(effect, words, columns, isDropout, t), effect && columns.length === words.length && roundingOf(effect, t));
    label(store.get(), app.viewer.view());
  }

  return { elements: [cells, opened], label, show };
}

/** "头 2 head 2", with its block if there are several. */
export function switchName(name, layers, t) {
  const [, block, part, head] = /^blocks\.(\d+)\.([a-z_0-9]+)(?:\.(\d+))?$/.exec(name) ?? [];
  if (block === undefined) return t(`weights.switch.${name}`);
  const called = t(`weights.switch.${part}`, { head: Number(head) + 1 });
  if (layers === 1) return called;
  return t("weights.in_block", { block: Number(block) + 1, name: called });
}

function hintOf(name, t) {
  const [, part] = /^blocks\.\d+\.([a-z_0-9]+)/.exec(name) ?? [null, name];
  return t(`weights.hint.${part}`);
}

function deltaCell(delta, word, scale) {
  if (delta === null) return el("td", { class: "mg-number", dataset: { word } }, "—");
  return el(
    "td",
    { class: "mg-number mg-delta", style: { "--cell": valueColour(delta, scale) }, dataset: { word } },
    signed(delta),
  );
}

function roundingOf({ on, off }, t) {
  return el("p", { class: "mg-note mg-rounding" }, roundingNoteOfRows([on, off], t));
}

function exactTable({ on, off, delta }, words, shown, isDropout, t) {
  const columns = isDropout ? ["weights.without_dropout", "weights.with_dropout"] : ["weights.on", "weights.off"];
  return el(
    "table",
    { class: "mg-exact" },
    el("caption", { class: "mg-hidden" }, t("weights.exact")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        [t("weights.word"), ...columns.map((key) => t(key)), "Δ"].map((text, at) =>
          el("th", { scope: "col", class: at ? "mg-number" : "" }, text),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      shown.map((id) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, words[id]),
          [number(on[id]), number(off[id]), signed(delta[id])].map((text) =>
            el("td", { class: "mg-number" }, text),
          ),
        ),
      ),
    ),
  );
}
