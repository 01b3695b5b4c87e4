/** Time per word against the number of words before it, one line per engine, both axes logarithmic. */

import { el, svg } from "../../dom.js";
import { milliseconds, whole } from "./whole.js";

const WIDTH = 720;
const HEIGHT = 380;
const MARGIN = { top: 44, right: 40, bottom: 60, left: 100 };
const GAP = 24; // between an axis and its labels

export function drawChart(t, { positions, engines }) {
  const drawn = engines.filter((engine) => engine.drawn);
  const values = drawn.flatMap((engine) => engine.milliseconds.filter((value) => value !== null));
  const decades = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = scale(Math.log(positions[0]), Math.log(positions.at(-1)), MARGIN.left, WIDTH - MARGIN.right);
  const y = scale(decades[0], decades[1], HEIGHT - MARGIN.bottom, MARGIN.top);
  const at = (position, value) => [x(Math.log(position)), y(Math.log10(value))];
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("cost.chart") },
    axisOfTimes(t, decades, y),
    axisOfPositions(t, positions, x),
    drawn.map((engine) => line(engine, positions, at)),
  );
  return el("figure", {}, picture, legend(t, drawn));
}

/** A linear map from [from, to] to [start, end]. */
function scale(from, to, start, end) {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

function axisOfTimes(t, [lowest, highest], y) {
  const ticks = [];
  for (let power = lowest; power <= highest; power += 1) {
    const height = y(power);
    ticks.push(
      svg("line", { class: "mg-chart-grid", x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: height, y2: height }),
      svg(
        "text",
        { class: "mg-chart-tick", x: MARGIN.left - 8, y: height + 5, "text-anchor": "end" },
        milliseconds(10 ** power),
      ),
    );
  }
  const name = svg("text", { class: "mg-chart-tick", x: 0, y: GAP }, t("cost.milliseconds"));
  return svg("g", {}, ticks, name);
}

function axisOfPositions(t, positions, x) {
  const base = HEIGHT - MARGIN.bottom;
  const ticks = positions.map((position) =>
    svg(
      "text",
      { class: "mg-chart-tick", x: x(Math.log(position)), y: base + GAP, "text-anchor": "middle" },
      whole(position),
    ),
  );
  const name = svg(
    "text",
    { class: "mg-chart-tick", x: (MARGIN.left + WIDTH - MARGIN.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" },
    t("cost.before"),
  );
  return svg("g", {}, ticks, name);
}

function line(engine, positions, at) {
  const points = positions
    .map((position, index) => [position, engine.milliseconds[index]])
    .filter(([, value]) => value !== null)
    .map(([position, value]) => at(position, value));
  return svg(
    "g",
    { class: `mg-chart-line mg-chart-${engine.name}` },
    svg("polyline", { points: points.map((point) => point.join(",")).join(" ") }),
    points.map(([cx, cy]) => svg("circle", { cx, cy, r: 4 })),
  );
}

function legend(t, drawn) {
  const entries = [...drawn].reverse().map((engine) =>
    el(
      "li",
      {},
      svg(
        "svg",
        { viewBox: "0 0 28 12", class: "mg-chart-sample", "aria-hidden": "true" },
        svg(
          "g",
          { class: `mg-chart-line mg-chart-${engine.name}` },
          svg("polyline", { points: "1,6 27,6" }),
          svg("circle", { cx: 14, cy: 6, r: 4 }),
        ),
      ),
      t(`cost.peer.${engine.name}`),
    ),
  );
  return el("figcaption", {}, el("ul", { class: "mg-chart-legend" }, entries));
}
