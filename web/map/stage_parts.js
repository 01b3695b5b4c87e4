/**
 * What every stage on the map has: its heading, a button, and its cells, a grid with one row per
 * word, or one per head and word.
 */

import { el, setAttribute, setText, svg } from "../dom.js";
import { headingOf, stageTitle } from "./names.js";
import { positionOf } from "./stages.js";

const SMALLEST_WITH_HUE = 3; // px

/** @param {{rows: object[], cells: object[], grid: Element|null}} parts */
export function stageParts(stage, { rows, cells, grid }, board, app) {
  const heading = createHeading(stage);
  const element = el(
    "div",
    {
      class: `mg-map-stage mg-map-${stage.place}`,
      role: "group",
      dataset: { stage: stage.key, scale: stage.isProbability ? "probability" : "value" },
    },
    heading.button,
    grid,
  );
  return {
    stage,
    element,
    heading: heading.button,
    rows,
    cells,
    grid,
    isOff: false, // see switched_off.js
    /** The names of the stage, its heading and its grid. */
    name() {
      heading.update(app.t, board, this.isOff);
      const title = withOff(stageTitle(stage, board, app.t), this.isOff, app.t);
      setAttribute(element, "aria-label", title);
      grid?.setAttribute("aria-label", `${title} [${stage.shape.join(" × ")}]`);
    },
  };
}

function createHeading(stage) {
  const { x, y, w, h, wraps } = stage.label;
  const name = el("span", { class: "mg-map-name" });
  const term = el("span", { class: "mg-map-term", translate: "no" }, breakable(stage.name));
  const block = el("span", { class: "mg-map-hidden" });
  const button = el(
    "button",
    {
      type: "button",
      class: wraps ? "mg-map-heading mg-map-wrapped" : "mg-map-heading",
      tabindex: -1,
      style: { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` },
    },
    el("span", { class: "mg-map-heading-text" }, name, " ", term, block),
  );
  return {
    button,
    update(t, board, isOff) {
      setText(name, headingOf(stage, t));
      const many = stage.block !== null && board.config.num_layers > 1;
      setText(block, withOff(many ? ` ${t("map.block", { number: stage.block + 1 })}` : "", isOff, t));
    },
  };
}

/** A name with the word that its part is off, for screen readers. */
function withOff(name, isOff, t) {
  return isOff ? `${name}${t("working.comma")}${t("map.off")}` : name;
}

/** A term that may break after its underscores. */
function breakable(term) {
  return term.split("_").flatMap((part, place) => (place ? ["_", el("wbr"), part] : [part]));
}

/** The cells of each row of the grid, one per word, or one per head and word. */
export function groupRows(stage, cells) {
  const rows = new Map();
  for (const cell of cells) {
    const key = cell.index.slice(0, stage.shape.length - 1).join(",");
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(cell);
  }
  return [...rows.values()];
}

/** Whose a row is, and its name. */
export function rowOf(stage, [first]) {
  const position = positionOf(stage.kind, first.index);
  const head = stage.shape.length === 3 ? first.index[0] : null;
  return {
    position,
    head,
    nameOn(element, view, t, isOff) {
      const word = view.model.words[view.window[position]];
      const name = head === null ? word : `${word}${t("working.comma")}${t("map.head", { number: head + 1 })}`;
      setAttribute(element, "aria-label", withOff(name, isOff, t));
    },
  };
}

/** Whether the rows have room for a bar in their word's hue. */
export function hasHues(stage, sizes) {
  return stage.kind !== "matrix" && sizes.row > SMALLEST_WITH_HUE;
}

export function hueBar(members, position) {
  const [first, last] = [members[0], members.at(-1)];
  return svg("rect", {
    class: "mg-map-hue",
    dataset: { hue: position },
    "aria-hidden": "true",
    x: first.x - 4,
    y: first.y,
    width: 2.5,
    height: last.y + last.h - first.y,
    rx: 1,
  });
}
