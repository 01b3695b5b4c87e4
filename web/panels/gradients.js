/**
 * One training step on the lesson's batch in detail: logits, probabilities, loss and gradient of
 * each position.
 */

import { createLatest, PASSING } from "../asking.js";
import { el } from "../dom.js";
import { createFold } from "../fold.js";
import { LESSON_A, LESSON_B } from "../state.js";
import { createPositions } from "./gradients/positions.js";
import { createWeightGradients } from "./gradients/weight_gradients.js";
import { createWorking } from "./gradients/working.js";

/** The words of the batch, in its order: first what is to be predicted, then what is only seen. */
function wordsOfBatch({ targets, token_ids: ids }) {
  return [...targets.flat().filter((id) => id >= 0), ...ids.flat()];
}

export function mount(container, app) {
  const isLessons = ({ model, token_ids: ids }) =>
    app.vocabularies.isLessons(model.id) && String(ids) === String([LESSON_A, LESSON_B]);
  const { t, server, store } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const waiting = el("p", { class: "mg-note", role: "status" });
  const content = el("div", { class: "mg-gradients", hidden: true });
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, waiting, content);
  const working = createWorking(app);
  const open = (key, cell) => working.open(store.get().model, key, cell);
  const fold = createFold(t, () => update());
  content.append(fold.element);
  const positions = createPositions(content, app, open);
  content.append(working.element);
  const weights = createWeightGradients(content, app, { open, choose });
  let parameter = null;
  let answer = null;
  const latest = createLatest(server.gradients, show, PASSING);
  const ask = () => latest({ model: store.get().model, parameter });

  function show(next) {
    if (answer?.model.id !== next.model.id) working.clear();
    answer = next;
    update();
  }

  function choose(name) {
    parameter = name;
    ask();
  }

  function update() {
    heading.textContent = t("gradients.heading");
    lead.textContent = t(answer && !isLessons(answer) ? "gradients.lead_own" : "gradients.lead");
    waiting.textContent = answer ? "" : t("gradients.waiting");
    content.hidden = !answer;
    if (answer) {
      const places = fold.shown(answer.model.words, wordsOfBatch(answer));
      positions.update(answer, places);
      weights.update(answer, places);
    }
    working.update();
    ask();
  }

  return { update };
}
