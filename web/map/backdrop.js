/** What lies behind the cells: panels, the road, wires, plus signs, small texts. */

import { wordColour } from "../colours.js";
import { setStyle, setText, svg } from "../dom.js";
import { short } from "./tags.js";

/** Draws `board` behind; the returned parts are kept on the present view by their `update`. */
export function createBackdrop(board, app) {
  const links = svg("g", { class: "mg-map-links" });
  const tags = board.tags.map((tag) => ({ tag, text: drawTag(tag) }));
  const titles = board.panels.map((panel) => ({ panel, text: drawTitle(panel) }));
  const element = svg(
    "svg",
    { class: "mg-map-back", width: board.width, height: board.height, "aria-hidden": "true" },
    board.panels.map(drawPanel),
    board.ribbons.map(drawRibbon),
    roadNames(board, app),
    board.lines.map(drawLine),
    links,
    board.pluses.map(drawPlus),
    titles.map(({ text }) => text),
    tags.map(({ text }) => text),
  );
  return {
    element,
    links,
    /** `orders`: a position's word ids in the order of its rows. */
    update(view, orders) {
      const words = view.window.map((id) => view.model.words[id]);
      for (const { tag, text } of tags) {
        if (tag.kind === "next") paintNext(tag, text, view, orders);
        else setText(text, tagText(tag, words, app.t));
      }
      for (const { panel, text } of titles) setText(text, titleText(panel, board, app.t));
      for (const name of element.querySelectorAll(".mg-map-road-name")) {
        setText(name, app.t("map.road"));
      }
    },
  };
}

function drawPanel({ kind, x, y, w, h }) {
  return svg("rect", { class: `mg-map-panel mg-map-panel-${kind}`, x, y, width: w, height: h, rx: 10 });
}

function drawTitle({ kind, titleX, titleY: y }) {
  return svg("text", { class: `mg-map-title mg-map-title-${kind}`, x: titleX, y });
}

const NARROW_PANEL = 300; // too narrow, in px, for more than its name

function titleText({ kind, block, w }, board, t) {
  if (kind === "bare") return "";
  if (kind === "position") return t("map.panel.position");
  const isNarrow = board.downwards || w < NARROW_PANEL * board.sizes.k;
  const name = t(isNarrow ? `map.panel.${kind}.short` : `map.panel.${kind}`);
  if (board.config.num_layers === 1) return name;
  return `${t("map.block", { number: block + 1 })} · ${name}`;
}

function drawRibbon({ position, carries, x, y, w, h }) {
  return svg("rect", {
    class: "mg-map-ribbon",
    x,
    y,
    width: Math.max(w, 0),
    height: h,
    dataset: { position, carries, hue: position },
  });
}

const SHORTEST_NAMED = 280; // px of free road that hold its name

/** The road's name, once a line where its longest free stretch is. */
function roadNames(board) {
  const first = board.ribbons.filter((ribbon) => ribbon.position === 0);
  const lines = [...new Set(first.map((ribbon) => ribbon.line))];
  return lines.map((line) => {
    const stretch = first
      .filter((ribbon) => ribbon.line === line)
      .reduce((best, ribbon) => (lengthOf(ribbon, board) > lengthOf(best, board) ? ribbon : best));
    if (lengthOf(stretch, board) < SHORTEST_NAMED * board.sizes.k) return null;
    const y = board.downwards ? stretch.y + stretch.h / 2 : stretch.y + stretch.h / 2 + 5;
    const x = stretch.x + stretch.w / 2 + (board.downwards ? 0 : board.sizes.road / 2);
    return svg("text", { class: "mg-map-road-name", x, y, "text-anchor": "middle" });
  });
}

function lengthOf(ribbon, board) {
  return board.downwards ? 0 : ribbon.w;
}

function drawLine({ kind, position, carries, d, tip, dot }) {
  const dataset = position === null ? {} : { position, carries, hue: position };
  return svg(
    "g",
    { class: `mg-map-line mg-map-line-${kind}`, dataset },
    svg("path", { class: "mg-map-halo", d }),
    svg("path", { class: "mg-map-wire", d }),
    tip && drawTip(tip),
    dot && svg("circle", { class: "mg-map-tip", cx: dot.x, cy: dot.y, r: 3 }),
  );
}

function drawTip({ x, y, turn }) {
  return svg("path", {
    class: "mg-map-tip",
    d: "M0 0L-6 -3.5L-6 3.5Z",
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
}

function drawPlus({ x, y, r, position, adds }) {
  const arm = r * 0.55;
  return svg(
    "g",
    {
      class: "mg-map-plus",
      transform: `translate(${x} ${y})`,
      dataset: { position, carries: adds, hue: position },
    },
    svg("circle", { r }),
    svg("path", { d: `M${-arm} 0H${arm}M0 ${-arm}V${arm}` }),
  );
}

const WORD_TAGS = ["seen", "looker"]; // in the hue of their position's word

function drawTag(tag) {
  return svg("text", {
    class: `mg-map-tag mg-map-tag-${tag.kind}`,
    x: tag.x,
    y: tag.y,
    "text-anchor": tag.anchor,
    dataset: tagData(tag),
  });
}

function tagData({ kind, position, operator }) {
  if (kind === "operator") return { operator };
  return WORD_TAGS.includes(kind) ? { hue: position } : {};
}

function tagText(tag, words, t) {
  if (tag.kind === "head") return t("map.head", { number: tag.head + 1 });
  if (tag.kind === "operator") return t(`map.operator.${tag.operator}`);
  if (tag.kind === "place") return tag.brief ? String(tag.position) : t("map.place", { number: tag.position });
  return short(words[tag.position], tag.most ?? 3);
}

/** The word a row of logits stands for, in its own hue. */
function paintNext({ position, slot }, text, view, orders) {
  const id = orders[position][slot];
  setText(text, short(view.model.words[id], 3));
  setStyle(text, "--hue", wordColour(id));
}
