/** From logits to the sampled word: one column per step, then the random number on the cumulative bar. */

import { wordColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { createFold } from "../../fold.js";
import { number, scientific } from "../../format.js";
import { createLatest } from "../../asking.js";
import { roundingNoteOfRows, withRest } from "../../rounded_sum.js";
import { viewRequest } from "../../viewer.js";
import { TEMPERATURE_ONE } from "./opening.js";

const PRESETS = [
  ["argmax", { mode: "argmax" }],
  ["one", TEMPERATURE_ONE],
  ["cool", { mode: "sample", temperature: 0.5, top_k: 0, top_p: 1 }],
  ["hot", { mode: "sample", temperature: 2, top_k: 0, top_p: 1 }],
  ["cold", { mode: "sample", temperature: 1e-6, top_k: 0, top_p: 1 }],
  ["top_k", { mode: "sample", temperature: 1, top_k: 2, top_p: 1 }],
  ["top_p", { mode: "sample", temperature: 1, top_k: 0, top_p: 0.8 }],
];
const NARROW = 0.06; // an interval too short for its label
const DRAWN = ["logits", "scaled_logits", "after_temperature", "after_top_k", "after_top_p"];
const GREEDY = ["logits", "argmax"];

/** @param {(sampling: object) => void} choose called with the settings that a person chose here */
export function createDraw(container, app, choose) {
  const { t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const presets = el("div", { class: "mg-presets", role: "group" });
  const opening = el("p", { class: "mg-finding mg-sampling-opening" });
  const steps = el("div", { class: "mg-scroll", tabindex: 0, role: "region" });
  const bar = el("figure", { class: "mg-cumulative" });
  const fold = createFold(t, () => draw());
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, presets, opening, fold.element, steps, bar);
  let shown = null;
  let isOpening = false;

  const ask = createLatest(server.sampling_explained, (answer) => {
    shown = answer;
    draw();
  });

  function draw() {
    const { words } = app.viewer.view().model;
    if (!shown || shown.steps.logits.length !== words.length) return;
    steps.setAttribute("aria-label", captionOf(shown, t));
    const places = fold.shown(words, byLogit(shown.steps.logits), [shown.chosen]);
    const isWhole = places.length === words.length;
    replace(steps, stepsTable(shown, words, isWhole ? places : sorted(places, shown.steps.logits), t));
    replace(bar, ...cumulativeBar(shown, words, isOpening, app));
  }

  return {
    /**
     * @param {object} state with the sampling settings to show
     * @param {object} setting the settings that appending follows
     */
    update(state, view, setting = state.sampling) {
      heading.textContent = t("sampling.heading");
      lead.textContent = t("sampling.lead");
      presets.setAttribute("aria-label", t("sampling.presets"));
      replace(presets, PRESETS.map(([name, patch]) => preset(name, patch, setting, choose, t)));
      isOpening = setting.mode !== state.sampling.mode;
      opening.hidden = !isOpening || !view.probabilities;
      if (isOpening) replace(opening, t("sampling.opening"), " ", sampleButton(setting, choose, t));
      steps.hidden = bar.hidden = !view.probabilities;
      draw();
      fold.element.hidden ||= !view.probabilities;
      if (view.probabilities) ask(drawQuestion(state));
    },
  };
}

/** The request shared by everything that depends on the sampling settings. */
export function drawQuestion(state) {
  const { seed, ...sampling } = state.sampling;
  return { ...viewRequest(state), sampling, seed, index: state.drawn };
}

function preset(name, patch, sampling, choose, t) {
  const isPresent = Object.entries(patch).every(([key, value]) => sampling[key] === value);
  return el(
    "button",
    {
      type: "button",
      class: "mg-button",
      "aria-pressed": String(isPresent),
      onclick: () => choose({ ...sampling, ...patch }),
    },
    t(`sampling.preset_${name}`),
  );
}

function sampleButton(sampling, choose, t) {
  const onclick = () => choose({ ...sampling, ...TEMPERATURE_ONE });
  return el("button", { type: "button", class: "mg-button", onclick }, t("sampling.opening_sample"));
}

/** The words with the largest logit first. */
function byLogit(logits) {
  return sorted([...logits.keys()], logits);
}

function sorted(places, logits) {
  return [...places].sort((one, other) => logits[other] - logits[one]);
}

/** @param {number[]} places the words that have a row; the others have one together */
function stepsTable(shown, words, places, t) {
  const { steps, temperature, top_k: topK, top_p: topP, chosen, draw } = shown;
  const names = namesOf(shown);
  const values = { temperature: String(temperature), top_k: topK || t("sampling.all"), top_p: topP };
  return el(
    "table",
    { class: "mg-steps" },
    el("caption", {}, [captionOf(shown, t), roundingOf(shown, places, t)].filter(Boolean).join(" ")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, t("sampling.word")),
        [...names, draw ? "stretch" : null].filter(Boolean).map((name) =>
          el("th", { scope: "col", class: "mg-number" }, t(`sampling.step_${name}`, values)),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      places.map((id) => stepsRow(words[id], id, { names, steps, draw, isChosen: chosen === id }, t)),
      places.length < words.length && restRow(words, places, { names, steps, draw }, t),
    ),
  );
}

/** All words without a row of their own: the sums of their shares. */
function restRow(words, places, { names, steps, draw }, t) {
  const count = words.length - places.length;
  const sum = (name) => withRest(steps[name], places).at(-1);
  return el(
    "tr",
    { class: "mg-steps-rest" },
    el("th", { scope: "row" }, t("shell.other_words", { count })),
    names.map((name) => el("td", { class: "mg-number" }, isShare(name) ? shareText(sum(name), true) : "—")),
    draw && el("td", { class: "mg-number" }, "—"),
    el("td"),
  );
}

const isShare = (name) => name === "argmax" || name.startsWith("after_");

/** The steps shown: with temperature 0 nothing is scaled, dropped or sampled. */
function namesOf({ temperature }) {
  return temperature === 0 ? GREEDY : DRAWN;
}

function roundingOf(shown, places, t) {
  const columns = namesOf(shown).filter((name) => name.startsWith("after_"));
  return roundingNoteOfRows(columns.map((name) => withRest(shown.steps[name], places)), t);
}

function captionOf({ temperature }, t) {
  return t(temperature === 0 ? "sampling.caption_argmax" : "sampling.caption");
}

function stepsRow(word, id, { names, steps, draw, isChosen }, t) {
  return el(
    "tr",
    { class: isChosen ? "mg-chosen" : "", style: { "--hue": wordColour(id) }, dataset: { word } },
    el(
      "th",
      { scope: "row" },
      word,
      isChosen && [" ", el("span", { class: "mg-first-mark" }, t(draw ? "sampling.drawn" : "sampling.largest"))],
    ),
    names.map((name, at) => stepCell(steps, name, names[at - 1], id, t)),
    draw && el("td", { class: "mg-number mg-step-range" }, stretch(draw, id, t)),
  );
}

function stepCell(steps, name, before, id, t) {
  const value = steps[name][id];
  const isPart = isShare(name);
  const wasCut = name.startsWith("after_") && before?.startsWith("after_") && value === 0 && steps[before][id] > 0;
  return el(
    "td",
    {
      class: isPart ? "mg-number mg-share-cell" : "mg-number",
      style: isPart ? { "--share": value } : null,
    },
    wasCut && el("span", { class: "mg-cut" }, t("sampling.cut")),
    shareText(value, isPart),
  );
}

/** Four decimals; scientific notation if that would round a non-zero value to 0.0000. */
function shareText(value, isPart) {
  const hidden = isPart && value > 0 && value < 0.00005;
  if (hidden) return scientific(value);
  return value !== null && Math.abs(value) >= 100_000 ? scientific(value) : number(value);
}

function stretch(draw, id, t) {
  if (draw.from[id] === draw.to[id]) return t("sampling.no_stretch");
  return `${number(draw.from[id])}\u00a0– ${number(draw.to[id])}`;
}

function cumulativeBar({ steps: { logits, probabilities, argmax }, draw, chosen }, words, isOpening, app) {
  const shares = probabilities ?? argmax;
  const { t, generator } = app;
  const appended = words[isOpening ? logits.indexOf(Math.max(...logits)) : chosen];
  const append = el(
    "button",
    { type: "button", class: "mg-button", onclick: () => generator.start(1) },
    t("sampling.append", { word: appended }),
  );
  const said = draw
    ? t("sampling.said", { uniform: draw.uniform.toFixed(6), seed: draw.seed, number: draw.index + 1, word: words[chosen] })
    : t("sampling.said_argmax", { word: words[chosen] });
  return [
    el(
      "div",
      { class: "mg-stretches", "aria-hidden": "true" },
      words.map((word, id) =>
        shares[id] > 0 &&
        el(
          "span",
          {
            class: id === chosen ? "mg-stretch mg-chosen" : "mg-stretch",
            style: { "--share": shares[id], "--hue": wordColour(id) },
          },
          shares[id] > NARROW && word,
        ),
      ),
      draw && el("span", { class: "mg-needle", style: { "--at": draw.uniform } }, el("span", {}, `u = ${number(draw.uniform)}`)),
    ),
    el("div", { class: "mg-ends", "aria-hidden": "true" }, el("span", {}, "0"), el("span", {}, "1")),
    el("figcaption", {}, said, " ", append),
  ];
}
