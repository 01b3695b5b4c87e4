/**
 * The text to learn: typed, pasted, or from a file that this browser reads; what a word is in it;
 * and what the server finds in it.
 */

import { createFound } from "./found.js";
import { createTextSource } from "./text_source.js";
import { createUnits } from "./units.js";
import { createLatest } from "../../asking.js";
import { el, setAttribute, setText } from "../../dom.js";

const TYPING_MS = 300;

/**
 * @param {() => string} contextLength the form's
 * @param {object} told `changed()`: the person brought another text or unit; `found(answer)`: what
 *   the server found in the text
 */
export function createCorpus({ t, server, store }, contextLength, told) {
  const label = el("span", { class: "mg-field-label" });
  const text = el("textarea", { class: "mg-input mg-corpus", rows: 5, spellcheck: "false", dir: "auto" });
  const zone = el("label", { class: "mg-corpus-field" }, label, text);
  const back = el("button", { type: "button", class: "mg-button mg-quiet", hidden: true, onclick: takeBack });
  const units = createUnits(t, told.changed);
  const source = createTextSource(t, zone, bring);
  const found = createFound(t);
  const isPrivate = el("p", { class: "mg-note mg-private" });
  const controls = el("div", { class: "mg-corpus-controls" }, source.button, back, units.lineEnds);
  let before = null; // the text and unit that a file took the place of
  let worth = null;
  let timer = null;

  const ask = createLatest(
    (question) => server.training_corpus(question),
    (answer) => {
      worth = answer;
      told.found(answer);
      update();
    },
  );

  function bring(content) {
    before = { corpus: text.value, ...units.get() };
    text.value = content;
    if (!units.isOwn()) units.set({ unit: "characters" }); // hardly of the lesson's five words alone
    told.changed();
  }

  function takeBack() {
    put(before);
    told.changed();
  }

  function put(given) {
    text.value = given.corpus;
    units.set(given);
    source.forget();
    before = null;
  }

  function update() {
    const isOwn = units.isOwn();
    setText(label, t(isOwn ? "training.corpus_own" : "training.corpus"));
    setText(back, t("training.text_back"));
    back.hidden = before === null;
    units.update();
    source.update();
    setText(isPrivate, t("training.private"));
    isPrivate.hidden = !isOwn;
    found.update(worth, isOwn);
    setAttribute(text, "aria-invalid", String(Boolean(worth?.problem)));
  }

  return {
    elements: [units.units, zone, controls, source.trouble, found.element, isPrivate],
    isOwn: units.isOwn,
    /** Its part of the task, and of what this tab keeps. */
    get: () => ({ corpus: text.value, ...units.get() }),
    set: put,
    limit: source.limit,
    /** Called when the text, or the context length its numbers depend on, was edited. */
    changed() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { lang } = store.get(); // errors are shown in the current language
        ask({ corpus: text.value, ...units.get(), context_length: contextLength(), lang });
      }, TYPING_MS);
    },
    update,
  };
}
