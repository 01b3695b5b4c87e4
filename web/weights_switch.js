/**
 * Which weights the page computes with: those set by hand, the trained ones, or a model of the
 * person's own; where there is none yet, a button that opens the panel in which one is trained.
 */

import { el, setText } from "./dom.js";
import { createSegmented } from "./segmented.js";

const OWN = "own";
const TRAINING = "training";

export function createWeightsSwitch({ store, t, initial, own }) {
  let last = null; // the person's own model that was used last
  const values = [...initial.models, OWN];
  const choice = createSegmented(values, (value) => own.use(value === OWN ? last : value));
  const train = el("button", { type: "button", class: "mg-button mg-quiet mg-train-own", onclick: openTraining });
  const canTrain = initial.panels.some(({ id }) => id === TRAINING);
  const element = el("div", { class: "mg-weights-switch" }, choice.element, train);

  function openTraining() {
    store.set({ panel: TRAINING });
    document.getElementById(`mg-tab-${TRAINING}`)?.focus();
  }

  return {
    element,
    update({ model }) {
      const isOwn = !initial.models.includes(model);
      if (isOwn) last = model;
      choice.update({
        legend: t("shell.weights"),
        labels: Object.fromEntries(values.map((id) => [id, t(`shell.weights_${id}`)])),
        chosen: isOwn ? OWN : model,
        hidden: last === null ? [OWN] : [],
      });
      train.hidden = last !== null || !canTrain;
      setText(train, t("shell.train_own"));
    },
  };
}
