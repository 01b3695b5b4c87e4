/** What the colours, lines and marks of the map mean. */

import { probabilityColour, valueColour } from "../colours.js";
import { el, setAttribute, setText, svg } from "../dom.js";
import { headDash } from "./links.js";

const STEPS = 11;

export function createLegend(board, app) {
  const values = createScale((share) => valueColour(share * 2 - 1, 1));
  const probabilities = createScale((share) => probabilityColour(share));
  const heads = Array.from({ length: board.config.num_heads }, (_, head) => createHead(head));
  const link = el("span", { class: "mg-map-legend-text" });
  const plus = createNote(plusSample());
  const change = createNote(changeSample());
  const element = el(
    "div",
    { class: "mg-map-legend" },
    el("div", { class: "mg-map-legend-group" }, values.element, probabilities.element),
    el(
      "div",
      { class: "mg-map-legend-group" },
      el("div", { class: "mg-map-legend-heads" }, heads.map((head) => head.element)),
      link,
    ),
    el("div", { class: "mg-map-legend-group" }, plus.element, change.element),
  );
  return {
    element,
    update(scale, isChanged) {
      const { t } = app;
      setAttribute(element, "aria-label", t("map.legend"));
      values.update(t("map.legend.value"), [`≤ −${scale}`, "0", `≥ +${scale}`]);
      probabilities.update(t("map.legend.probability"), ["0", "0.5", "1"]);
      heads.forEach((head, place) => head.update(t("map.head", { number: place + 1 })));
      setText(link, t("map.legend.link"));
      plus.update(t("map.legend.plus"));
      change.update(t("map.legend.changed"));
      change.element.hidden = !isChanged;
    },
  };
}

function createScale(colour) {
  const name = el("div", { class: "mg-map-legend-text" });
  const ticks = Array.from({ length: 3 }, () => el("span"));
  const steps = Array.from({ length: STEPS }, (_, step) =>
    el("span", { style: { background: colour(step / (STEPS - 1)) } }),
  );
  return {
    element: el(
      "div",
      { class: "mg-map-scale" },
      name,
      el("div", { class: "mg-map-scale-bar", "aria-hidden": "true" }, steps),
      el("div", { class: "mg-map-scale-ticks" }, ticks),
    ),
    update(text, figures) {
      setText(name, text);
      ticks.forEach((tick, place) => setText(tick, figures[place]));
    },
  };
}

function createHead(head) {
  const name = el("span");
  const dash = headDash(head) || null;
  const line = (part, width) =>
    svg("path", { class: part, d: "M1 8H43", "stroke-width": width, "stroke-dasharray": dash });
  return {
    element: el(
      "span",
      { class: "mg-map-legend-head" },
      svg("svg", { width: 44, height: 16, "aria-hidden": "true" }, line("mg-map-legend-line", 5)),
      name,
    ),
    update: (text) => setText(name, text),
  };
}

function createNote(sample) {
  const text = el("span");
  return {
    element: el("div", { class: "mg-map-legend-note" }, sample, text),
    update: (words) => setText(text, words),
  };
}

function plusSample() {
  return svg(
    "svg",
    { width: 20, height: 20, viewBox: "-10 -10 20 20", "aria-hidden": "true" },
    svg("g", { class: "mg-map-plus" }, svg("circle", { r: 8 }), svg("path", { d: "M-4.5 0H4.5M0 -4.5V4.5" })),
  );
}

function changeSample() {
  return svg(
    "svg",
    { width: 20, height: 16, "aria-hidden": "true" },
    svg("rect", { class: "mg-map-legend-cell", x: 0.5, y: 0.5, width: 19, height: 15, rx: 2 }),
    svg("path", { class: "mg-map-mark", d: "M19.5 0.5v8l-8 -8z" }),
  );
}
