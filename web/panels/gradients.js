/**
 * One training step on the lesson's batch in detail: logits, probabilities, loss and gradient of
 * each position.
 */

import { createLatest, PASSING } from "../asking.js";
import { el } from "../dom.js";
import { createPositions } from "./gradients/positions.js";
import { createWeightGradients } from "./gradients/weight_gradients.js";
import { createWorking } from "./gradients/working.js";

export function mount(container, app) {
  const { t, server, store } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const waiting = el("p", { class: "mg-note", role: "status" });
  const content = el("div", { class: "mg-gradients", hidden: true });
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, waiting, content);
  const working = createWorking(app);
  const open = (key, cell) => working.open(store.get().model, key, cell);
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
    lead.textContent = t("gradients.lead");
    waiting.textContent = answer ? "" : t("gradients.waiting");
    content.hidden = !answer;
    if (answer) {
      positions.update(answer);
      weights.update(answer);
    }
    working.update();
    ask();
  }

  return { update };
}
