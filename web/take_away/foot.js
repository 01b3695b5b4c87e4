/** Below the map's picture: what its colours and links mean, and the caption. */

import { probabilityColour, valueColour } from "../colours.js";
import { svg } from "../dom.js";
import { headDash } from "../map/links.js";
import { give } from "./paint.js";
import { textWidth, wrapped } from "./text.js";

const STEPS = 11;
const STEP = 12; // px wide
const SIZE = 12;
const CAPTION = 15;
const LINE = 21;
const GAP = 28;
const LEGEND = 44; // px high

/** @returns {{elements: Element[], height: number}} */
export function footPicture(board, context, caption) {
  const plain = { ...context, k: 1 };
  const lines = wrapped(caption, board.width, CAPTION);
  const texts = lines.map((line, at) => text(line, 0, LEGEND + CAPTION + at * LINE, CAPTION, "var(--mg-ink)", plain));
  return { elements: [...legend(board, plain), ...texts], height: LEGEND + lines.length * LINE };
}

function legend(board, context) {
  const { t, scale } = context;
  const values = [`≤ −${scale}`, "0", `≥ +${scale}`];
  const parts = [
    (x) => scalePicture(x, t("map.legend.value"), values, (share) => valueColour(share * 2 - 1, 1), context),
    (x) => scalePicture(x, t("map.legend.probability"), ["0", "0.5", "1"], probabilityColour, context),
    ...Array.from({ length: board.config.num_heads }, (_, head) => (x) => headPicture(x, head, context)),
  ];
  let x = 0;
  return parts.flatMap((draw) => {
    const { elements, width } = draw(x);
    x += width + GAP;
    return elements;
  });
}

function scalePicture(x, name, ticks, colour, context) {
  const from = x + textWidth(name, SIZE) + 8;
  const width = STEPS * STEP;
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const rect = svg("rect", { x: from + step * STEP, y: 2, width: STEP, height: 11 });
    give(rect, { fill: colour(step / (STEPS - 1)) }, context);
    return rect;
  });
  const anchors = ["start", "middle", "end"];
  const figures = ticks.map((tick, at) => {
    const element = text(tick, from + (at * width) / 2, 26, 10.5, "var(--mg-muted)", context);
    element.setAttribute("text-anchor", anchors[at]);
    return element;
  });
  return { elements: [text(name, x, 12, SIZE, "var(--mg-muted)", context), ...steps, ...figures], width: from - x + width };
}

function headPicture(x, head, context) {
  const name = context.t("map.head", { number: head + 1 });
  const line = svg("path", { d: `M${x} 8h44`, fill: "none", "stroke-dasharray": headDash(head) || null });
  give(line, { stroke: "var(--mg-muted)", "stroke-width": 5 }, context);
  return { elements: [line, text(name, x + 50, 12, SIZE, "var(--mg-muted)", context)], width: 50 + textWidth(name, SIZE) };
}

function text(content, x, y, px, fill, context) {
  const element = svg("text", { x, y }, content);
  give(element, { fill, px }, context);
  return element;
}
