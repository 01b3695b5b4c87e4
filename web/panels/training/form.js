/** The training form: the text, sizes, settings. */

import { createActions } from "./actions.js";
import { createCorpus } from "./corpus.js";
import { createFields, SIZES } from "./fields.js";
import { isActive } from "./session.js";
import { createStarts } from "./starts.js";
import { createSuggestion } from "./suggestion.js";
import { taskOf } from "./task.js";
import { el } from "../../dom.js";
import { answered } from "../../asking.js";

export function createForm(container, app, { session, memory }) {
  const { t, server } = app;
  const head = createHead(t, () => fill(given.defaults));
  const fields = createFields(t, (name) => suggestion.edited(name));
  const suggestion = createSuggestion(t, fields, changed);
  const corpus = createCorpus(app, () => fields.get("context_length"), {
    changed: textChanged,
    found: suggestion.found,
  });
  const starts = createStarts(t, startFrom);
  const actions = createActions(app, session, () => fields.get("steps"));
  const element = el(
    "form",
    { class: "mg-training-form", onsubmit: submit, oninput: changed },
    head.elements,
    actions.element, // first, so that it is seen at once
    corpus.elements,
    suggestion.element,
    fields.element,
    starts.element,
  );
  container.append(element);
  session.onRefused(fields.refuse);
  let given = null; // defaults and limits; null until the server has sent them
  let isOwn = false; // whether the text was one of one's own before the last change
  let language = null;

  function changed() {
    fields.accept();
    memory.rememberForm({ ...corpus.get(), start: starts.get(), ...fields.values() });
    corpus.changed();
    update();
  }

  /** Another text or unit: one of one's own begins at random, and back in the lesson its sizes return. */
  function textChanged() {
    if (isOwn && !corpus.isOwn() && !suggestion.isEdited()) fields.fill(given.defaults);
    isOwn = corpus.isOwn();
    if (isOwn) starts.set("random");
    else suggestion.forget();
    changed();
  }

  function fill(form, isOfAPerson = false) {
    corpus.set(form);
    isOwn = corpus.isOwn();
    starts.set(form.start);
    fields.fill(form);
    suggestion.begin(isOfAPerson);
    suggestion.forget();
    changed();
  }

  function startFrom(chosen) {
    // The hand-set weights only fit the lesson's sizes.
    if (chosen === "teaching" && given) fields.fill(pick(given.teaching, SIZES));
    changed();
  }

  function submit(event) {
    event.preventDefault();
    if (!isActive(session.get())) session.start(taskOf(corpus, starts.get(), fields.values(), app));
  }

  async function load() {
    given = await answered(server.training_form({}));
    if (!given) return;
    fields.limit(given.limits);
    corpus.limit(given.limits);
    const remembered = memory.form();
    fill({ ...given.defaults, ...remembered }, remembered !== null);
  }

  function update() {
    const { lang } = app.store.get();
    if (language !== lang && given) corpus.changed();
    language = lang;
    head.update();
    corpus.update();
    suggestion.update();
    fields.update(starts.get() === "teaching");
    starts.update(corpus.isOwn());
    actions.update();
  }

  load();
  return { update };
}

function createHead(t, onReset) {
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const reset = el("button", { type: "button", class: "mg-button mg-quiet", onclick: onReset });
  return {
    elements: [el("div", { class: "mg-panel-head" }, heading, reset), lead],
    update() {
      heading.textContent = t("training.heading");
      lead.textContent = t("training.lead");
      reset.textContent = t("training.defaults");
    },
  };
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
