/**
 * Take away: the map as a picture, the working of the open cell as LaTeX, the state as a link.
 *
 * `createTakeAway(app)` -> {element, update(state, view)}.
 */

import { addressOf } from "./address.js";
import { refusal } from "./asking.js";
import { closeElsewhere } from "./closing.js";
import { saveBlob } from "./download.js";
import { el, setAttribute, setText } from "./dom.js";
import { number } from "./format.js";
import { withGloss } from "./glosses.js";
import { latexDocument, NEEDS } from "./take_away/latex.js";
import { mapPicture } from "./take_away/picture.js";
import { pngOf } from "./take_away/png.js";
import { themeOf } from "./take_away/theme.js";
import { latexOfOpenCell } from "./take_away/working.js";
import { copyText } from "./working/copying.js";

const NAME = "minigpt";

export function createTakeAway(app) {
  const { store, viewer, veil, t } = app;
  const summary = el("summary", { class: "mg-button mg-quiet" });
  const told = el("p", { class: "mg-note mg-take-told", role: "status" });
  const field = el("textarea", { class: "mg-copy-field", readonly: true, hidden: true, rows: 4 });
  const buttons = [
    createButton("svg", () => saveBlob(`${NAME}.svg`, new Blob([picture().text], { type: "image/svg+xml" }))),
    createButton("png", async () => saveBlob(`${NAME}.png`, await pngOf(picture()))),
    createButton("latex", async () => copy(`${NEEDS}\n${await latex()}\n`)),
    createButton("tex", async () => saveBlob(`${NAME}.tex`, new Blob([latexDocument(await latex())], { type: "application/x-tex" }))),
    createButton("link", () => copy(link())),
  ];
  const why = el("p", { class: "mg-note" });
  const menu = el("div", { class: "mg-take-menu" }, buttons.map(({ element }) => element), why, told, field);
  const element = el("details", { class: "mg-take" }, summary, menu);
  element.addEventListener("toggle", clear);
  closeElsewhere([element], () => element.open, () => (element.open = false), () => {
    element.open = false;
    summary.focus();
  });

  function createButton(name, act) {
    const button = el("button", { type: "button", class: "mg-button", onclick: () => run(act) });
    return { name, element: button, ofMap: ["svg", "png"].includes(name), ofCell: ["latex", "tex"].includes(name) };
  }

  async function run(act) {
    clear();
    try {
      await act();
    } catch (error) {
      setText(told, t("take_away.failed"));
      refusal(error);
    }
  }

  function clear() {
    setText(told, "");
    field.hidden = true;
  }

  async function copy(text) {
    const isCopied = await copyText(text, element);
    setText(told, t(isCopied ? "working.copied" : "working.copy_by_hand"));
    field.hidden = isCopied;
    if (isCopied) return;
    field.value = text;
    setAttribute(field, "aria-label", t("take_away.text"));
    field.select();
  }

  const shown = () => veil.over(viewer.view());
  const caption = () => captionOf(store.get(), shown(), t);
  const latex = () => latexOfOpenCell(app, store.get(), shown(), caption());

  function picture() {
    return mapPicture(shown(), { theme: themeOf(element), t, caption: caption(), switches: store.get().switches });
  }

  function link() {
    const { location } = window;
    return location.origin + location.pathname + addressOf(store.get(), location.search, ["lang"]);
  }

  return {
    element,
    update(state, view) {
      const isEmpty = view.trace === null;
      const hasCell = !isEmpty && state.cell !== null;
      const isOpen = hasCell && !veil.isOn(); // a working shows what practice hides
      setText(summary, t("take_away.title"));
      for (const { name, element: button, ofMap, ofCell } of buttons) {
        setText(button, t(`take_away.${name}`));
        button.hidden = ofCell && Boolean(app.initial.without_server);
        button.disabled = (ofMap && isEmpty) || (ofCell && !isOpen);
      }
      why.hidden = isOpen || Boolean(app.initial.without_server);
      setText(why, t(hasCell ? "take_away.practice" : "take_away.no_cell"));
    },
  };
}

/** The sentence, the model, and what it says comes next. */
function captionOf(state, view, t) {
  const { words, config } = view.model;
  const start = Math.max(0, state.tokens.length - config.context_length);
  const seen = view.window.map((id) => withGloss(words[id], t)).join(" ");
  const sentence = start ? `… ${seen}` : seen;
  const values = { sentence, model: t(`shell.weights_${view.model.id.split(":")[0]}`) };
  const changed = view.baseline ? t("take_away.changed") : "";
  const probabilities = view.trace.vocabulary_probs.at(-1);
  if (probabilities.some(Number.isNaN)) return t("take_away.caption_hidden", values) + changed;
  const best = probabilities.indexOf(Math.max(...probabilities));
  const winner = { word: withGloss(words[best], t), probability: number(probabilities[best]) };
  return t("take_away.caption", { ...values, ...winner }) + changed;
}
