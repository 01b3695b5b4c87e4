/**
 * The words of the model as large buttons; on a narrow page with their probabilities. Of many words
 * the most probable, and a field that finds the others.
 */

import { wordColour } from "./colours.js";
import { el, replace, setAttribute, setStyle, setText } from "./dom.js";
import { number } from "./format.js";
import { showGloss } from "./glosses.js";

const MOST_WORDS = 12; // with a button each

export function createPalette(container, { writing, t }) {
  const search = el("input", {
    type: "search",
    class: "mg-input mg-word-search",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    hidden: true,
    oninput: draw,
    onkeydown: (event) => event.key === "Enter" && buttons[0]?.press(),
  });
  const none = el("span", { class: "mg-note", role: "status", hidden: true });
  const group = el("div", { class: "mg-palette-words" });
  const element = el("div", { class: "mg-palette", role: "group" }, search, group, none);
  container.append(element);
  let words = [];
  let buttons = [];
  let latest = null; // the view

  function build(view) {
    words = view.model.words;
    const isMany = words.length > MOST_WORDS;
    buttons = words.slice(0, MOST_WORDS).map(() => createButton(append));
    replace(group, buttons.map((button) => button.element));
    search.hidden = !isMany;
    search.value = "";
    element.classList.toggle("mg-many-words", isMany);
  }

  function append(id) {
    search.value = "";
    writing.append([id]);
  }

  function draw() {
    const ids = shownIds(words, latest.probabilities, search.value);
    buttons.forEach((button, place) => {
      const id = ids[place];
      button.update(id, words[id], latest.probabilities?.[id], t);
    });
    none.hidden = ids.length > 0;
    setText(none, none.hidden ? "" : t("shell.word_none", { text: search.value.trim() }));
  }

  return {
    update(state, view) {
      latest = view;
      setAttribute(element, "aria-label", t("shell.palette"));
      if (view.model.words.join() !== words.join()) build(view);
      if (!search.hidden) {
        const text = t("shell.word_search", { count: words.length });
        setAttribute(search, "aria-label", text);
        setAttribute(search, "placeholder", text);
      }
      draw();
    },
  };
}

/** Which words have a button: all of a few in their order, else the most probable of those sought. */
function shownIds(words, probabilities, sought) {
  const ids = words.map((_, id) => id);
  if (words.length <= MOST_WORDS) return ids;
  const text = sought.trim().toLowerCase();
  const found = text ? ids.filter((id) => words[id].toLowerCase().includes(text)) : ids;
  if (probabilities) found.sort((one, other) => probabilities[other] - probabilities[one]);
  return found.slice(0, MOST_WORDS);
}

function createButton(append) {
  let shown = null; // the word's id
  const press = () => shown !== undefined && append(shown);
  const text = el("span", { class: "mg-word-text" });
  const share = el("span", { class: "mg-word-share", "aria-hidden": "true" });
  const element = el("button", { type: "button", class: "mg-word", onclick: press }, text, share);
  return {
    element,
    press,
    update(id, word, probability, t) {
      shown = id;
      element.hidden = id === undefined;
      if (element.hidden) return;
      setText(text, word);
      setStyle(element, "--hue", wordColour(id));
      showGloss(text, word, t);
      setText(share, probability === undefined ? "" : number(probability));
      element.style.setProperty("--share", probability ?? 0);
    },
  };
}
