/** The loss curve with two reference lines: a uniform guess, and the entropy floor of the corpus. */

import { el, svg } from "../../dom.js";
import { number } from "../../format.js";

const WIDEST = 900;
const NARROWEST = 300;
const HEIGHT = 260;
const EDGE = { top: 14, right: 12, bottom: 26, left: 44 };
const HEADROOM = 1.12;
const TICKS = 4;

export function createCurve(container, { t }, session) {
  const picture = svg("svg", { class: "mg-curve", role: "img" });
  const legend = el("p", { class: "mg-note mg-curve-legend" });
  const figure = el("figure", { class: "mg-curve-figure", hidden: true }, picture, el("figcaption", {}, legend));
  container.append(figure);
  const mark = svg("line", { class: "mg-curve-mark", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
  let x = null;
  let marked = null; // the selected step
  let drawnWidth = null;

  /** Drawn in CSS pixels, so that its text has the page's size in a narrow panel too. */
  function widthNow() {
    return Math.min(Math.max(figure.clientWidth, NARROWEST), WIDEST);
  }

  function placeMark() {
    if (marked === null || !x) return;
    const at = x(marked);
    mark.setAttribute("x1", at);
    mark.setAttribute("x2", at);
  }

  function update() {
    const training = session.get();
    figure.hidden = !training?.points.length;
    if (figure.hidden) return;
    drawnWidth = widthNow();
    picture.setAttribute("viewBox", `0 0 ${drawnWidth} ${HEIGHT}`);
    const scale = scaleOf(training.points, training.steps, training.uniform, drawnWidth);
    x = scale.x;
    picture.replaceChildren(...drawing(training, scale, t), mark);
    placeMark();
    picture.setAttribute("aria-label", spoken(training, t));
    legend.replaceChildren(...keys(t));
  }

  if (typeof ResizeObserver === "function") {
    const redraw = () => !figure.hidden && figure.clientWidth && widthNow() !== drawnWidth && update();
    new ResizeObserver(() => requestAnimationFrame(redraw)).observe(figure); // drawing sizes others
  }
  return {
    /** Mark the selected step. */
    mark(step) {
      marked = step;
      placeMark();
    },
    update,
  };
}

function drawing({ points, steps, floor, uniform, words }, scale, t) {
  const looks = points.filter(([, , , corpusLoss]) => corpusLoss !== null);
  return [
    ...axes(scale, steps),
    level(scale, uniform, "mg-curve-uniform", t("training.line_uniform", { words: words.length, value: number(uniform) }), -5),
    level(scale, floor, "mg-curve-floor", t("training.line_floor", { value: number(floor) }), -5),
    line(points.map(([step, loss]) => [step, loss]), scale, "mg-curve-batch"),
    line(looks.map(([step, , , corpusLoss]) => [step, corpusLoss]), scale, "mg-curve-corpus"),
  ];
}

/** Scales: from step to x and from loss to y. */
function scaleOf(points, steps, uniform, width) {
  const highest = points.reduce((most, [, loss]) => Math.max(most, loss), uniform);
  const top = Math.min(highest, uniform * 2.5) * HEADROOM; // one outlier does not flatten the rest
  const right = width - EDGE.right;
  const inner = { width: right - EDGE.left, height: HEIGHT - EDGE.top - EDGE.bottom };
  return {
    top,
    right,
    x: (step) => EDGE.left + (step / steps) * inner.width,
    y: (loss) => EDGE.top + (1 - Math.min(loss, top) / top) * inner.height,
  };
}

function axes(scale, steps) {
  const marks = [];
  for (let tick = 0; tick <= scale.top; tick += 0.5) {
    const y = scale.y(tick);
    marks.push(
      svg("line", { class: "mg-curve-grid", x1: EDGE.left, x2: scale.right, y1: y, y2: y }),
      svg("text", { class: "mg-curve-text", x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, number(tick, 1)),
    );
  }
  for (let tick = 0; tick <= TICKS; tick++) {
    const step = Math.round((steps * tick) / TICKS);
    marks.push(
      svg("text", { class: "mg-curve-text", x: scale.x(step), y: HEIGHT - 6, "text-anchor": anchor(tick) }, step),
    );
  }
  return marks;
}

function anchor(tick) {
  if (tick === 0) return "start";
  return tick === TICKS ? "end" : "middle";
}

function level(scale, loss, name, text, above) {
  const y = scale.y(loss);
  return svg(
    "g",
    {},
    svg("line", { class: `mg-curve-level ${name}`, x1: EDGE.left, x2: scale.right, y1: y, y2: y }),
    svg("text", { class: "mg-curve-text mg-curve-strong", x: scale.right, y: y + above, "text-anchor": "end" }, text),
  );
}

function line(pairs, scale, name) {
  const points = pairs.map(([step, loss]) => `${scale.x(step).toFixed(1)},${scale.y(loss).toFixed(1)}`);
  return svg("polyline", { class: name, points: points.join(" ") });
}

function keys(t) {
  return ["batch", "corpus"].map((name) =>
    el("span", { class: "mg-curve-key" }, el("span", { class: `mg-curve-sample mg-sample-${name}`, "aria-hidden": "true" }), t(`training.curve_${name}`)),
  );
}

function spoken({ points, floor, uniform }, t) {
  const [step, loss] = points.at(-1);
  return t("training.curve_spoken", { step, loss: number(loss), floor: number(floor), uniform: number(uniform) });
}
