/** The model's whole behaviour: the next word after every prompt, and where argmax leads from each. */

import { el } from "../dom.js";
import { createFold } from "../fold.js";
import { createLatest } from "../asking.js";
import { createPromptTable } from "./prompts/table.js";
import { createWalk } from "./prompts/walk.js";

function leadOf({ longest, context_length: context }) {
  if (longest === context) return "prompts.lead_all";
  if (longest === 1) return "prompts.lead_some_one";
  return longest ? "prompts.lead_some" : "prompts.lead_none";
}

/** The words that are most often the most probable. */
function mostPredicted(rows) {
  const counts = new Map();
  for (const { next } of rows) counts.set(next, (counts.get(next) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([id]) => id);
}

export function mount(container, app) {
  const { t, server, viewer } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const table = createPromptTable(app);
  const drawn = createPromptTable(app);
  drawn.element.classList.add("mg-drawn-prompts");
  const walk = createWalk(app);
  const fold = createFold(t, () => draw()); // of the columns
  container.append(
    el("div", { class: "mg-panel-head" }, heading),
    lead,
    el("div", { class: "mg-behaviour" }, walk.element, fold.element, table.element, drawn.element),
  );
  let shown = null;

  const ask = createLatest(server.behaviour, (answer) => {
    shown = answer;
    draw();
  });

  function draw() {
    heading.textContent = t(shown?.drawn ? "prompts.heading_some" : "prompts.heading");
    const { words } = viewer.view().model;
    const first = shown?.rows[0] ?? shown?.drawn.rows[0];
    if (first?.probabilities.length !== words.length) return;
    const { rows, longest, drawn: sample, context_length: context } = shown;
    const said = [t(leadOf(shown), { count: rows.length, longest, context, most: shown.most_prompts, words: words.length })];
    if (sample) said.push(t("prompts.lead_drawn", { ...sample, count: sample.rows.length }));
    lead.textContent = said.join(" ");
    table.element.hidden = rows.length === 0;
    drawn.element.hidden = sample === null;
    const columns = fold.shown(words, mostPredicted([...rows, ...(sample?.rows ?? [])]));
    table.show(rows, words, columns, t("prompts.caption"));
    if (sample) drawn.show(sample.rows, words, columns, t("prompts.caption_drawn", { count: sample.rows.length, ...sample }));
    walk.show(shown, words);
  }

  return {
    update({ engine, model, edits, switches }) {
      draw();
      ask({ engine, model, edits, switches });
    },
  };
}
