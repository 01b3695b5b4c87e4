/** What a token costs: counted for a network and a length, and measured on a larger one. */

import { el } from "../dom.js";
import { createLatest } from "../asking.js";
import { createSegmented } from "../segmented.js";
import { createCount } from "./cost/count.js";
import { createMeasured } from "./cost/measured.js";

export function mount(container, app) {
  const { t, server } = app;
  let network = "this";
  let length = null; // null until the user moves the slider: the full window
  let shown = null;
  let question = {};
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const networks = createSegmented(["this", "large"], (value) => {
    network = value;
    length = null;
    draw();
    askAgain();
  });
  const slider = createSlider((value) => {
    length = value;
    askAgain();
  });
  const count = createCount(app);
  const measured = createMeasured(app);
  container.append(
    el("div", { class: "mg-panel-head" }, heading),
    lead,
    el("div", { class: "mg-cost-choices" }, networks.element, slider.element),
    count.element,
    measured.element,
  );

  const ask = createLatest(server.token_cost, (answer) => {
    shown = answer;
    draw();
  });
  const askMeasured = createLatest(server.measured_cost, (answer) => {
    measured.show(answer.measured);
    networks.element.hidden = answer.measured === null;
  });

  function askAgain() {
    ask({ ...question, network, ...(length === null ? {} : { length }) });
  }

  function draw() {
    heading.textContent = t("cost.heading");
    lead.textContent = t("cost.lead");
    networks.update({
      legend: t("cost.network"),
      labels: { this: t("cost.this"), large: t("cost.large") },
      chosen: network,
    });
    if (!shown) return;
    slider.update(t("cost.length"), shown.length, shown.context_length);
    count.show(shown);
  }

  return {
    update({ model }) {
      question = { model };
      draw();
      measured.draw();
      askAgain();
      askMeasured({});
    },
  };
}

/** A range with its name and its value beside it. */
function createSlider(onInput) {
  const name = el("span", { class: "mg-field-label" });
  const output = el("output", { class: "mg-number" });
  const input = el("input", {
    type: "range",
    min: 1,
    step: 1,
    oninput: () => {
      output.textContent = input.value;
      onInput(Number(input.value));
    },
  });
  return {
    element: el("label", { class: "mg-cost-slider" }, name, input, output),
    update(text, value, longest) {
      name.textContent = text;
      input.max = longest;
      input.value = value;
      output.textContent = value;
    },
  };
}
