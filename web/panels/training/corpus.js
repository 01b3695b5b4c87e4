/** The corpus field, with its number of targets and the lowest possible loss. */

import { el } from "../../dom.js";
import { number } from "../../format.js";
import { createLatest } from "../../asking.js";

const TYPING_MS = 300;

export function createCorpus({ t, server, store }, contextLength) {
  const label = el("span", { class: "mg-field-label" });
  const text = el("textarea", { class: "mg-input mg-corpus", rows: 5, spellcheck: "false" });
  const about = el("p", { class: "mg-note mg-corpus-about", role: "status" });
  let worth = null;
  let timer = null;

  const ask = createLatest(
    (question) => server.training_corpus(question),
    (answer) => {
      worth = answer;
      update();
    },
  );

  function update() {
    label.textContent = t("training.corpus");
    const said = worth ? worthText(worth, t) : "";
    if (about.textContent !== said) about.textContent = said;
    about.classList.toggle("mg-problem", Boolean(worth?.problem));
    text.setAttribute("aria-invalid", String(Boolean(worth?.problem)));
  }

  return {
    elements: [el("label", { class: "mg-corpus-field" }, label, text), about],
    get: () => text.value,
    set(value) {
      text.value = value;
    },
    /** Called when the corpus, or the context length it depends on, was edited. */
    changed() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { lang } = store.get(); // errors are shown in the current language
        ask({ corpus: text.value, context_length: contextLength(), lang });
      }, TYPING_MS);
    },
    update,
  };
}

function worthText({ problem, sentences, targets, floor, uniform }, t) {
  if (problem) return problem;
  return t("training.worth", { sentences, targets, floor: number(floor), uniform: number(uniform) });
}
