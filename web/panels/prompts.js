/** The model's whole behaviour: the next word after every prompt, and where argmax leads from each. */

import { el } from "../dom.js";
import { createLatest } from "../asking.js";
import { createPromptTable } from "./prompts/table.js";
import { createWalk } from "./prompts/walk.js";

function leadOf({ longest, context_length: context }) {
  if (longest === context) return "prompts.lead_all";
  return longest ? "prompts.lead_some" : "prompts.lead_none";
}

export function mount(container, app) {
  const { t, server, viewer } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const table = createPromptTable(app);
  const drawn = createPromptTable(app);
  drawn.element.classList.add("mg-drawn-prompts");
  const walk = createWalk(app);
  container.append(
    el("div", { class: "mg-panel-head" }, heading),
    lead,
    el("div", { class: "mg-behaviour" }, walk.element, table.element, drawn.element),
  );
  let shown = null;

  const ask = createLatest(server.behaviour, (answer) => {
    shown = answer;
    draw();
  });

  function draw() {
    const { words } = viewer.view().model;
    const first = shown?.rows[0] ?? shown?.drawn.rows[0];
    if (first?.probabilities.length !== words.length) return;
    const { rows, longest, drawn: sample, context_length: context } = shown;
    const said = [t(leadOf(shown), { count: rows.length, longest, context })];
    if (sample) said.push(t("prompts.lead_drawn", { ...sample, count: sample.rows.length }));
    lead.textContent = said.join(" ");
    table.element.hidden = rows.length === 0;
    drawn.element.hidden = sample === null;
    table.show(rows, words, t("prompts.caption"));
    if (sample) drawn.show(sample.rows, words, t("prompts.caption_drawn", { count: sample.rows.length, ...sample }));
    walk.show(shown, words);
  }

  return {
    update({ engine, model, edits, switches }) {
      heading.textContent = t(shown?.drawn ? "prompts.heading_some" : "prompts.heading");
      draw();
      ask({ engine, model, edits, switches });
    },
  };
}
