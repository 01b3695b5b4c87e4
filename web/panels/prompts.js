/** The model's whole behaviour: the next word after every prompt, and where argmax leads from each. */

import { el } from "../dom.js";
import { createLatest } from "../asking.js";
import { createPromptTable } from "./prompts/table.js";
import { createWalk } from "./prompts/walk.js";

export function mount(container, app) {
  const { t, server, viewer } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const table = createPromptTable(app);
  const walk = createWalk(app);
  container.append(
    el("div", { class: "mg-panel-head" }, heading),
    lead,
    el("div", { class: "mg-behaviour" }, walk.element, table.element),
  );
  let shown = null;

  const ask = createLatest(server.behaviour, (answer) => {
    shown = answer;
    draw();
  });

  function draw() {
    const { words } = viewer.view().model;
    if (!shown || shown.rows[0].probabilities.length !== words.length) return;
    const { rows, longest, context_length: context } = shown;
    lead.textContent = t(longest === context ? "prompts.lead_all" : "prompts.lead_some", {
      count: rows.length,
      longest,
      context,
    });
    table.show(shown, words);
    walk.show(shown, words);
  }

  return {
    update({ engine, model, edits, switches }) {
      heading.textContent = t("prompts.heading");
      draw();
      ask({ engine, model, edits, switches });
    },
  };
}
