/** Two runs compared value by value: which value is the first to differ? */

import { createComparison } from "./compare/comparison.js";
import { createOtherSide } from "./compare/other_side.js";
import { el } from "../dom.js";
import { createLatest } from "../asking.js";

export function mount(container, app) {
  const { t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const other = createOtherSide(app);
  const comparison = createComparison(app);
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, other.element, comparison.element);
  const ask = createLatest(server.compare_runs, (answer, question) => comparison.show(answer, question));

  function update(state, view) {
    heading.textContent = t("compare.heading");
    lead.textContent = t("compare.lead");
    other.update(state, view);
    comparison.update();
    const question = other.question(state);
    if (question) ask(question);
    else comparison.hide();
  }

  return { update };
}
