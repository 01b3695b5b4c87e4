/** The training form: corpus, sizes, settings. */

import { createActions } from "./actions.js";
import { createCorpus } from "./corpus.js";
import { createFields, SIZES } from "./fields.js";
import { isActive } from "./session.js";
import { el } from "../../dom.js";
import { createSegmented } from "../../segmented.js";
import { LESSON_A, LESSON_B } from "../../state.js";
import { refusal } from "../../asking.js";

const STARTS = ["random", "teaching"];
const LESSON_PROMPTS = [LESSON_A, LESSON_B];

export function createForm(container, app, { session, memory }) {
  const { t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const reset = el("button", { type: "button", class: "mg-button mg-quiet", onclick: () => fill(given.defaults) });
  const fields = createFields(t);
  const corpus = createCorpus(app, () => fields.get("context_length"));
  const starts = createSegmented(STARTS, startFrom);
  const actions = createActions(app, session, () => fields.get("steps"));
  const element = el(
    "form",
    { class: "mg-training-form", onsubmit: submit, oninput: changed },
    el("div", { class: "mg-panel-head" }, heading, reset),
    lead,
    corpus.elements,
    fields.element,
    starts.element,
    actions.element,
  );
  container.append(element);
  session.onRefused(fields.refuse);
  let given = null; // defaults and limits; null until the server has sent them
  let start = STARTS[0];
  let language = null;

  function changed() {
    fields.accept();
    memory.rememberForm({ corpus: corpus.get(), start, ...fields.values() });
    corpus.changed();
    update();
  }

  function fill(form) {
    corpus.set(form.corpus);
    start = form.start;
    fields.fill(form);
    changed();
  }

  function startFrom(chosen) {
    start = chosen;
    // The hand-set weights only fit the lesson's sizes.
    if (chosen === "teaching" && given) fields.fill(pick(given.teaching, SIZES));
    changed();
  }

  function submit(event) {
    event.preventDefault();
    if (!isActive(session.get())) session.start(taskOf(corpus.get(), start, fields.values(), app));
  }

  async function load() {
    try {
      given = await server.training_form({});
    } catch (error) {
      refusal(error);
      return;
    }
    fields.limit(given.limits);
    fill({ ...given.defaults, ...memory.form() });
  }

  function update() {
    const { lang } = app.store.get();
    if (language !== lang && given) corpus.changed();
    language = lang;
    heading.textContent = t("training.heading");
    lead.textContent = t("training.lead");
    reset.textContent = t("training.defaults");
    corpus.update();
    fields.update(start === "teaching");
    starts.update({
      legend: t("training.start_from"),
      labels: Object.fromEntries(STARTS.map((name) => [name, t(`training.start_${name}`)])),
      chosen: start,
    });
    actions.update();
  }

  load();
  return { update };
}

/** The training request; the page's sentence is watched too. */
function taskOf(corpus, start, { steps, learning_rate, seed, ...model }, { store }) {
  const { tokens } = store.get();
  const known = LESSON_PROMPTS.some((prompt) => String(prompt) === String(tokens));
  const watched = tokens.length && !known ? [...LESSON_PROMPTS, tokens] : LESSON_PROMPTS;
  return { corpus, start, model, steps, learning_rate, seed, watched };
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
