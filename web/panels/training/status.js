/** The training's status as text. */

import { el } from "../../dom.js";
import { number } from "../../format.js";

export function createStatus(container, { t }, session) {
  const line = el("p", { class: "mg-training-status", role: "status" });
  const error = el("p", { class: "mg-training-error", role: "alert" });
  container.append(line, error);
  return {
    update() {
      const training = session.get();
      setText(line, session.isAsking() ? t("training.status_asked") : statusText(training, t));
      setText(error, errorText(training, t));
      error.hidden = error.textContent === "";
    },
  };
}

function statusText(training, t) {
  if (!training) return t("training.status_none");
  const { status, place, step, steps, points } = training;
  if (status === "waiting") return t("training.status_waiting", { place });
  if (!points.length || status === "gone") return t(`training.status_${status}`, { step, steps });
  const [, loss, , corpusLoss] = points.at(-1);
  const said = [t(`training.status_${status}`, { step, steps }), t("training.loss_now", { loss: number(loss) })];
  if (corpusLoss !== null) said.push(t("training.loss_corpus", { loss: number(corpusLoss) }));
  return said.join(" ");
}

function errorText(training, t) {
  if (training?.status === "gone") return t("error.training_unknown");
  return training?.trouble?.text ?? "";
}

/** Write only changed text, so that a screen reader does not repeat it. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
