/** The step itself: each position's logits, probabilities, loss and their gradient. */

import { createPositions } from "./positions.js";
import { createWeightGradients } from "./weight_gradients.js";
import { createWorking } from "./working.js";
import { el } from "../../dom.js";

const RETRY_MS = 1000; // PyTorch is being loaded
const WAIT_FOR = ["torch_loading", "connection"];

export function createGradients(container, app) {
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
  let asked = null;

  async function ask() {
    const question = { model: store.get().model, parameter };
    const key = JSON.stringify(question);
    if (key === asked) return;
    asked = key;
    try {
      const next = await server.gradients(question);
      if (key !== asked) return;
      if (answer?.model.id !== next.model.id) working.clear();
      answer = next;
      update();
    } catch (error) {
      if (!error.code) throw error;
      if (key !== asked) return;
      asked = null;
      if (WAIT_FOR.includes(error.code)) setTimeout(ask, RETRY_MS);
    }
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
