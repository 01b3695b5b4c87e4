/** Models stored in this browser; a click uses one again, even after the server dropped it. */

import { el, replace } from "../../dom.js";
import { number } from "../../format.js";
import { refusal } from "../../asking.js";

export function createKeptList(container, app) {
  const { t, own, store } = app;
  const heading = el("h3");
  const note = el("p", { class: "mg-note" });
  const list = el("ul", { class: "mg-kept" });
  container.append(el("section", {}, heading, note, list));
  let models = [];

  async function read() {
    models = await own.kept.all();
    update(store.get());
  }

  function update(state) {
    heading.textContent = t("training.kept");
    note.textContent = t(models.length ? "training.kept_note" : "training.kept_none");
    replace(list, models.map((model) => item(model, state, app)));
  }

  own.subscribe(read);
  read();
  return { update };
}

function item(model, state, { t, own }) {
  const isUsed = state.model === model.id;
  const name = nameOf(model, state.lang, t);
  const text = t(isUsed ? "training.used" : "training.use");
  const use = el(
    "button",
    { type: "button", class: "mg-button", disabled: isUsed, "aria-label": `${text}: ${name}`, onclick: () => own.bringBack(model).catch(refusal) },
    text,
  );
  const remove = el(
    "button",
    { type: "button", class: "mg-button mg-quiet", "aria-label": t("training.remove_of", { name }), onclick: () => own.remove(model.id) },
    t("training.remove"),
  );
  const about = [sizesText(model.config, t), model.isInPage && t("training.kept_in_page")].filter(Boolean).join(" · ");
  return el("li", { class: "mg-kept-item" }, el("span", {}, name, el("br"), el("span", { class: "mg-note" }, about)), use, remove);
}

function nameOf({ when, steps, corpusLoss }, lang, t) {
  const time = new Intl.DateTimeFormat(t("language.tag"), { dateStyle: "medium", timeStyle: "short" });
  const moment = time.format(new Date(when));
  if (steps === null) return t("training.kept_loaded", { moment });
  return t("training.kept_trained", { moment, steps, loss: corpusLoss === null ? "—" : number(corpusLoss) });
}

/** "2 blocks · 2 heads · model_dim 4 · context_length 8" */
function sizesText(config, t) {
  return t("training.sizes", config);
}
