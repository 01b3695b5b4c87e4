/**
 * What the page's sentence (A) is compared with (B, chosen here): another sentence, or the same one
 * with other weights (without the edits and switches, or another model's).
 */

import { COMPARED } from "../../address.js";
import { countEdits, countSwitches } from "../../changes.js";
import { wordColour } from "../../colours.js";
import { el, replace, setText } from "../../dom.js";
import { createSegmented } from "../../segmented.js";
import { LESSON_A, LESSON_B } from "../../state.js";
import { viewRequest } from "../../viewer.js";

const MOST_BUTTONS = 12; // of words

export function createOtherSide(app) {
  const { store, t, initial, vocabularies } = app;
  const set = (patch) => store.set({ compare: { ...store.get().compare, ...patch } });
  const kind = createSegmented(COMPARED, (chosen) => set({ kind: chosen }));
  const why = el("p", { class: "mg-note mg-side-why" });
  const lesson = el("button", { type: "button", class: "mg-button", onclick: openLesson });
  const left = el("div", { class: "mg-side" });
  const right = el("div", { class: "mg-side" });
  const element = el(
    "div",
    { class: "mg-sides" },
    el("div", { class: "mg-side-choice" }, kind.element, why, lesson),
    left,
    right,
  );

  function openLesson() {
    const compare = { ...store.get().compare, kind: "sentence", tokens: [...LESSON_B] };
    store.set({ tokens: [...LESSON_A], compare });
  }

  function update(state, view) {
    const { words } = view.model;
    const other = present(state);
    lesson.textContent = t("compare.lesson");
    lesson.disabled = !vocabularies.isLessons(state.model);
    const disabled = disabledKinds(state, others(state));
    setText(why, disabled.map((value) => t(`compare.needs_${value}`)).join(" "));
    kind.update({
      legend: t("compare.kind"),
      labels: Object.fromEntries(COMPARED.map((value) => [value, t(`compare.kind_${value}`)])),
      chosen: other.kind,
      disabled,
    });
    const models = others(state);
    replace(left, sideTitle("A", t("compare.side_a")), chips(state.tokens, words));
    replace(right, sideTitle("B", t(`compare.side_${other.kind}`)), ...rightSide(other, set, { state, words, models, t, limit: initial.limits.tokens }));
  }

  /** The sentence is the same only in the same words. */
  const others = ({ model }) => initial.models.filter((id) => id !== model && !vocabularies.differ(id, model));

  /** B as chosen; if its model is A's or does not exist, the first other model. */
  function present(state) {
    const models = others(state);
    const { model } = state.compare;
    return { ...state.compare, model: models.includes(model) ? model : (models[0] ?? null) };
  }

  /** The request to the server; null while either side is empty. */
  function question(state) {
    const other = present(state);
    const mine = viewRequest(state);
    const { edits, switches, model } = state;
    const sides = {
      sentence: { tokens: other.tokens, model, edits, switches },
      unchanged: { tokens: state.tokens, model, edits: {}, switches: {} },
      model: { tokens: state.tokens, model: other.model, edits: {}, switches: {} },
    };
    const chosen = sides[other.kind];
    if (!mine.tokens.length || !chosen.tokens.length || !chosen.model) return null;
    return { engine: state.engine, left: mine, right: chosen };
  }

  return { element, update, question };
}

/** The content of B and its controls. */
function rightSide(other, set, { state, words, models, t, limit }) {
  if (other.kind === "sentence") {
    return [chips(other.tokens, words), palette(other.tokens, (tokens) => set({ tokens: tokens.slice(-limit) }), words, t)];
  }
  return [chips(state.tokens, words), other.kind === "model" && modelChoice(other, set, models, t)];
}

function palette(tokens, write, words, t) {
  const button = (id, word) =>
    el(
      "button",
      {
        type: "button",
        class: "mg-button",
        "aria-label": t("compare.add_to_b", { word }),
        style: { "--hue": wordColour(id) },
        onclick: () => write([...tokens, id]),
      },
      word,
    );
  return el(
    "div",
    { class: "mg-small-palette", role: "group", "aria-label": t("compare.write_b") },
    words.length > MOST_BUTTONS ? wordChoice(tokens, write, words, t) : words.map((word, id) => button(id, word)),
    el(
      "button",
      {
        type: "button",
        class: "mg-button mg-quiet",
        disabled: tokens.length === 0,
        onclick: () => write(tokens.slice(0, -1)),
      },
      t("compare.take_back"),
    ),
  );
}

/** One list instead of many buttons. */
function wordChoice(tokens, write, words, t) {
  return el(
    "select",
    { class: "mg-input", "aria-label": t("compare.write_b"), onchange: ({ target }) => write([...tokens, Number(target.value)]) },
    el("option", { value: "" }, t("compare.choose_word", { count: words.length })),
    words.map((word, id) => el("option", { value: id }, word)),
  );
}

function modelChoice(other, set, models, t) {
  return el(
    "select",
    { class: "mg-input", "aria-label": t("shell.weights"), onchange: (event) => set({ model: event.target.value }) },
    models.map((id) => el("option", { value: id, selected: id === other.model }, t(`shell.weights_${id.split(":")[0]}`))),
  );
}

function disabledKinds({ edits, switches }, models) {
  const isChanged = countEdits(edits) + countSwitches(switches) > 0;
  return [!isChanged && "unchanged", models.length === 0 && "model"].filter(Boolean);
}

function sideTitle(letter, text) {
  return el("p", { class: "mg-side-title" }, el("strong", {}, letter), ` ${text}`);
}

function chips(tokens, words) {
  return el(
    "ol",
    { class: "mg-side-chips" },
    tokens.map((id) => el("li", { class: "mg-mini-chip", style: { "--hue": wordColour(id) } }, words[id])),
  );
}
