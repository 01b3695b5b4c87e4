/** The watched prompts during training, and a slider back to any earlier step. */

import { createAttention } from "./attention.js";
import { createExact } from "./exact.js";
import { createOffer } from "./offer.js";
import { createPlayback } from "./playback.js";
import { createWatched } from "./watched.js";
import { createCover } from "../../cover.js";
import { el } from "../../dom.js";
import { modelOf } from "../training.js";
import { isActive } from "./session.js";
import { createSegmented } from "../../segmented.js";

const MOST_PROMPTS = 4;

/** @param {(step: number) => void} onStep called with the selected step */
export function createLookBack(container, app, session, onStep) {
  const { t, own } = app;
  const heading = el("h3");
  const label = el("span", { class: "mg-look-label" });
  const slider = el("input", { type: "range", class: "mg-slider mg-look-slider", min: 0, step: 1, oninput: () => choose(Number(slider.value)) });
  const whole = el("button", { type: "button", class: "mg-button", onclick: () => own.use(modelOf(session.get(), step())) });
  const playback = createPlayback(t, { from: () => place(), count: () => session.get().kept.length, show: choose });
  const prompts = createSegmented([...Array(MOST_PROMPTS).keys()].map(String), (chosen) => {
    prompt = Number(chosen);
    update();
  });
  const note = el("p", { class: "mg-note" });
  const bars = el("div", { class: "mg-watched" });
  const attention = el("div", { class: "mg-look-attention" });
  const element = el(
    "section",
    { class: "mg-look", hidden: true },
    heading,
    el("div", { class: "mg-look-controls" }, playback.element, el("label", { class: "mg-slider-field" }, label, slider), whole),
    note,
    bars,
    prompts.element,
    attention,
  );
  container.append(element);
  const cover = createCover(app, element);
  const watched = createWatched(bars, app);
  const heads = createAttention(attention, app);
  const exact = createExact(app, update);
  let chosen = null; // index in `kept`; null follows the training
  let prompt = 0;

  const place = () => Math.min(chosen ?? Infinity, session.get().kept.length - 1);
  const step = () => session.get().kept[place()];

  function choose(next) {
    chosen = next >= session.get().kept.length - 1 ? null : next;
    onMap.enter();
    update();
  }

  const follow = () => {
    chosen = null;
    update();
  };
  const onMap = createOffer(app, session, { choose, follow, update });

  function update() {
    const training = session.get();
    element.hidden = !training?.kept.length || training.status === "gone";
    const isCovered = cover.update();
    if (element.hidden) {
      onMap.withdraw();
      return;
    }
    chosen = onMap.placeOf(training, chosen);
    onStep(step());
    onMap.offer(training, { step: step(), place: place(), isChosen: chosen !== null });
    if (isCovered) return;
    const { words } = training;
    prompt = Math.min(prompt, training.watched.length - 1);
    heading.textContent = t("training.look");
    slider.max = training.kept.length - 1;
    slider.value = place();
    label.textContent = t("training.look_step", { step: step(), steps: training.steps });
    slider.setAttribute("aria-valuetext", label.textContent);
    whole.textContent = t("training.use_step");
    note.textContent = keptText(training, t);
    playback.update();
    prompts.update({
      legend: t("training.look_prompt"),
      labels: training.watched.map((ids) => ids.map((id) => words[id]).join(" ")),
      chosen: String(prompt),
    });
    hideSpare(prompts.element, training.watched.length);
    const looked = modelOf(training, step());
    const first = training.watched[prompt];
    // While a running training is followed, the other prompts show the periodic evaluations.
    const others = isActive(training) && chosen === null ? [] : training.watched.filter((ids) => ids !== first);
    exact.want(looked, [first, ...others]);
    watched.update(training, step(), words, (ids) => exact.get(looked, ids)?.probabilities ?? null);
    heads.update(exact.get(looked, first));
  }

  return { update };
}

function hideSpare(element, count) {
  [...element.querySelectorAll("label")].forEach((option, at) => {
    option.hidden = at >= count;
  });
}

function keptText({ kept }, t) {
  const every = kept.length > 2 ? kept[1] - kept[0] : 1;
  return every > 1 ? t("training.look_every", { every }) : t("training.look_all");
}
