/** The sentence as chips: the context window in brackets, words outside it faded. */

import { wordColour } from "./colours.js";
import { el, setAttribute, setText } from "./dom.js";
import { number } from "./format.js";
import { glossOf, showGloss } from "./glosses.js";

export function createChips(container, { store, viewer, vocabularies, t }) {
  const note = el("p", { class: "mg-hidden mg-window-note", id: "mg-window-note" });
  const list = el("ol", { class: "mg-chips", "aria-describedby": "mg-window-note", tabindex: 0 });
  container.append(list, note);
  // In the next frame: asking for the width at once would lay the whole page out twice.
  const showEnd = () => requestAnimationFrame(() => (list.scrollLeft = list.scrollWidth));
  // What stands beside it comes after it and takes room.
  if (typeof ResizeObserver === "function") new ResizeObserver(showEnd).observe(list);
  let drawn = null;
  let drawnIn = null; // words, context and language that all chips are of
  const places = []; // what the chip of each word shows
  let known = {}; // `probabilities` in the last update, without what is hidden, and the view they are `of`

  /** @param {number[]|null} probabilities of the next word, if they are of these tokens */
  function draw(state, { words, config }, probabilities) {
    const tokens = words.length ? state.tokens : []; // of a model whose words have not come
    const start = Math.max(0, tokens.length - config.context_length);
    const best = winner(probabilities);
    const present = JSON.stringify([tokens, start, config.context_length, words, state.lang, best]);
    if (present === drawn) return;
    drawn = present;
    setAttribute(list, "aria-label", t("shell.sentence"));
    setText(note, noteFor(tokens.length, start, config.context_length));
    setAttribute(list, "title", note.textContent);
    const common = JSON.stringify([words, config.context_length, state.lang]);
    if (common !== drawnIn) {
      drawnIn = common;
      places.length = 0;
    }
    tokens.forEach((id, index) => {
      const where = place(index, start, tokens.length);
      put(index, `${id} ${where}`, () => chip(words[id], id, where));
    });
    put(tokens.length, "next", () => nextChip(tokens, words, best));
    places.length = tokens.length; // the next one is always drawn anew
    while (list.children.length > tokens.length + 1) list.lastElementChild.remove();
    showEnd();
  }

  /** The chip at `index`; one that shows the same already stays, since a sentence may be long. */
  function put(index, shows, build) {
    if (places[index] === shows) return;
    places[index] = shows;
    if (index < list.children.length) list.children[index].replaceWith(build());
    else list.append(build());
  }

  function nextChip(tokens, words, best) {
    return el(
      "li",
      { class: tokens.length ? "mg-next-chip" : "mg-next-chip mg-invitation" },
      tokens.length ? "?" : t("shell.invitation"),
      best && nextWord(words[best.id], best),
    );
  }

  function noteFor(length, start, context) {
    if (length === 0) return t("shell.window_empty", { context });
    if (start === 0) return t("shell.window_all", { context });
    return t("shell.window_last", { context, outside: start });
  }

  function chip(word, id, where) {
    const text = el("span", { class: "mg-chip-word" }, word);
    showGloss(text, word, t);
    return el(
      "li",
      { class: `mg-chip ${where}`, style: { "--hue": wordColour(id) }, title: glossOf(word, t) },
      text,
      where === OUTSIDE && el("span", { class: "mg-hidden" }, t("shell.outside_window")),
    );
  }

  // The words are shown at once, also those of a sentence one goes back to; their numbers follow.
  store.subscribe((state) => {
    const shown = viewer.view();
    if (!shown || vocabularies?.differ(state.model, shown.model.id)) return; // its words come with its view
    draw(state, shown.model, viewer.isCurrent() && known.of === shown ? known.probabilities : null);
  });
  return {
    update(state, view) {
      known = { of: viewer.view(), probabilities: view.probabilities };
      draw(state, view.model, viewer.isCurrent() ? view.probabilities : null);
    },
  };
}

/** The most probable next word. */
function winner(probabilities) {
  if (!probabilities) return null;
  const probability = Math.max(...probabilities);
  return { id: probabilities.indexOf(probability), probability };
}

function nextWord(word, { id, probability }) {
  return el(
    "span",
    { class: "mg-winner", style: { "--hue": wordColour(id) } },
    el("b", {}, word),
    " ",
    el("span", { class: "mg-winner-share" }, number(probability)),
  );
}

const OUTSIDE = "mg-outside";

function place(index, start, length) {
  if (index < start) return OUTSIDE;
  return `mg-inside${index === start ? " mg-first" : ""}${index === length - 1 ? " mg-last" : ""}`;
}
