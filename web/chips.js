/** The sentence as chips: the context window in brackets, words outside it faded. */

import { wordColour } from "./colours.js";
import { el, replace, setAttribute, setText } from "./dom.js";
import { glossOf, showGloss } from "./glosses.js";

export function createChips(container, { store, viewer, t }) {
  const note = el("p", { class: "mg-note mg-window-note", id: "mg-window-note" });
  const list = el("ol", { class: "mg-chips", "aria-describedby": "mg-window-note", tabindex: 0 });
  container.append(list, note);
  let drawn = null;

  function draw(state, { words, config }) {
    const { tokens } = state;
    const start = Math.max(0, tokens.length - config.context_length);
    const present = JSON.stringify([tokens, start, config.context_length, words, state.lang]);
    if (present === drawn) return;
    drawn = present;
    setAttribute(list, "aria-label", t("shell.sentence"));
    setText(note, noteFor(tokens.length, start, config.context_length));
    replace(
      list,
      tokens.map((id, index) => chip(words[id], id, place(index, start, tokens.length))),
      el(
        "li",
        { class: tokens.length ? "mg-next-chip" : "mg-next-chip mg-invitation" },
        tokens.length ? "?" : t("shell.invitation"),
      ),
    );
    list.scrollLeft = list.scrollWidth;
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

  // The words are shown at once; their numbers follow a round trip later.
  store.subscribe((state) => viewer.view() && draw(state, viewer.view().model));
  return { update: (state, view) => draw(state, view.model) };
}

const OUTSIDE = "mg-outside";

function place(index, start, length) {
  if (index < start) return OUTSIDE;
  return `mg-inside${index === start ? " mg-first" : ""}${index === length - 1 ? " mg-last" : ""}`;
}
