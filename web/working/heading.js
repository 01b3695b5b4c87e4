/** The heading of the working area: stage, explanation, formula, next and previous buttons. */

import { el, replace, setAttribute, setText } from "../dom.js";
import { loadFormulas, showFormula } from "./formula.js";

/** @param {(stage: object) => void} onGo called with the stage the user wants to see */
export function createHeading({ t }, onGo) {
  loadFormulas(); // starts while the page is still being built
  const step = el("p", { class: "mg-working-step", role: "status" });
  const contents = el("select", { class: "mg-input mg-working-contents" });
  const back = el("button", { type: "button", class: "mg-button mg-working-previous" });
  const on = el("button", { type: "button", class: "mg-button mg-primary mg-working-next" });
  const title = el("h2", { class: "mg-working-title" });
  const block = el("span", { class: "mg-working-block" });
  const sentence = el("p", { class: "mg-working-sentence" });
  const formula = el("div", { class: "mg-working-formula" });
  const bar = el("nav", { class: "mg-working-bar" }, step, contents, back, on);
  const onward = el("button", { type: "button", class: "mg-button mg-working-onward" });
  onward.addEventListener("click", () => onGo(shown.book.next(shown.stage)));
  const element = el(
    "header",
    { class: "mg-working-head" },
    bar,
    el("div", { class: "mg-working-titles" }, title, block),
    el("div", { class: "mg-working-told" }, sentence, formula),
  );
  let shown = null;
  let told = null; // the content does not depend on the sentence
  back.addEventListener("click", () => shown && onGo(shown.book.previous(shown.stage)));
  on.addEventListener("click", () => shown && onGo(shown.book.next(shown.stage)));
  contents.addEventListener("change", () => onGo(shown.book.stages[Number(contents.value)]));

  function nameOf(stage, book, lang) {
    const text = book.texts.stages[stage.name].title[lang];
    const several = book.stages.some((each) => each.block > 0);
    return stage.block !== null && several ? `${text} (${t("working.block", { number: stage.block + 1 })})` : text;
  }

  function updateContents(book, stage, lang) {
    replace(
      contents,
      book.stages.map((each, index) =>
        el("option", { value: index }, `${each.number}. ${nameOf(each, book, lang)}`),
      ),
    );
    contents.value = String(stage.number - 1);
    setAttribute(contents, "aria-label", t("working.contents"));
  }

  return {
    element,
    /** A second next button, for the end of the stage. */
    onward,
    update({ lang }, book, stage) {
      shown = { book, stage };
      const saying = [book, stage, lang];
      if (told && saying.every((each, index) => each === told[index])) return;
      told = saying;
      const texts = book.texts.stages[stage.name];
      setAttribute(bar, "aria-label", t("working.steps"));
      const place = { number: stage.number, count: book.stages.length, title: texts.title[lang] };
      replace(
        step,
        el("span", { "aria-hidden": "true" }, t("working.step", place)),
        el("span", { class: "mg-hidden" }, t("working.step_told", place)),
      );
      updateContents(book, stage, lang);
      setButton(back, t("working.previous"), "P", book.previous(stage) !== null);
      setButton(on, t("working.next"), "N", book.next(stage) !== null);
      const next = book.next(stage);
      onward.hidden = next === null;
      if (next) setText(onward, t("working.onward", { title: nameOf(next, book, lang) }));
      setText(title, texts.title[lang]);
      setText(block, stage.block === null ? "" : t("working.block", { number: stage.block + 1 }));
      setText(sentence, texts.sentence[lang]);
      setAttribute(formula, "role", "group");
      setAttribute(formula, "aria-label", t("working.formula"));
      showFormula(formula, stage.name);
    },
  };
}

function setButton(button, text, key, isPossible) {
  replace(button, text, el("kbd", { class: "mg-key", "aria-hidden": "true" }, key));
  setAttribute(button, "aria-keyshortcuts", key);
  // Not `disabled`: keyboard focus would be lost at the last stage.
  setAttribute(button, "aria-disabled", String(!isPossible));
}
