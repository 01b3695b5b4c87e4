/** The stored measurement of a larger network: a chart of a few engines, a table of all. */

import { el, replace } from "../../dom.js";
import { drawChart } from "./chart.js";
import { milliseconds, whole } from "./whole.js";

export function createMeasured({ t }) {
  const heading = el("h2");
  const body = el("div");
  let measured;

  function table({ engines, positions }) {
    const head = positions.map((position) =>
      el("th", { scope: "col", class: "mg-number" }, t("cost.at", { position: whole(position) })),
    );
    const rows = engines.map((engine) =>
      el(
        "tr",
        { class: engine.name === "mini-gpt" ? "mg-cost-ours" : null },
        el(
          "th",
          { scope: "row" },
          t(`cost.peer.${engine.name}`),
          el("span", { class: "mg-cost-formula" }, engine.version),
        ),
        engine.milliseconds.map((value) => el("td", { class: "mg-number" }, milliseconds(value))),
      ),
    );
    return el(
      "table",
      { class: "mg-cost-table" },
      el("caption", {}, t("cost.engines")),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("cost.engine")), head)),
      el("tbody", {}, rows),
    );
  }

  function draw() {
    heading.textContent = t("cost.measured");
    if (measured === undefined) return;
    if (measured === null) {
      replace(body, el("p", { class: "mg-note" }, t("cost.not_measured")));
      return;
    }
    const { machine, sizes, threads } = measured;
    const parameters = `V ${whole(sizes.vocab_size)}, C ${sizes.model_dim}, H ${sizes.num_heads}, L ${sizes.num_layers}`;
    replace(
      body,
      el(
        "p",
        { class: "mg-note" },
        t("cost.measured_lead", {
          parameters,
          threads,
          cpu: machine.cpu,
          cores: machine.cores,
          memory: machine.memory_gb,
        }),
      ),
      el("div", { class: "mg-cost-chart" }, drawChart(t, measured)),
      el("p", { class: "mg-note" }, t("cost.flat")),
      el("div", { class: "mg-scroll", tabindex: 0 }, table(measured)),
    );
  }

  return {
    element: el("section", { class: "mg-cost-measured" }, heading, body),
    draw,
    show(answer) {
      measured = answer;
      draw();
    },
  };
}
