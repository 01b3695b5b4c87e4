/**
 * The map: every value between the words and the next word, drawn as a road.
 *
 * `map/layout.js` says where everything lies (pure, from the sizes alone), the views in `map/`
 * draw it once for a structure (sizes, length, room) and are then only repainted.
 */

import { wordColour } from "./colours.js";
import { createBars } from "./bars.js";
import { el, replace, setStyle, setText } from "./dom.js";
import { createFilm } from "./film.js";
import { createBoardView } from "./map/board_view.js";
import { foldedBlocks, layoutMap, NARROW } from "./map/layout.js";
import { createCamera } from "./map/camera.js";
import { createRoom } from "./map/room.js";

/** @param {HTMLElement} [ruler] as wide as the map with nothing beside it */
export function createMap(container, app, ruler = container) {
  const hint = el("p", { class: "mg-map-hint" });
  const tools = el("div", { class: "mg-map-tools" });
  const header = el("header", { class: "mg-map-header" }, tools, hint);
  const empty = el("p", { class: "mg-map-empty", hidden: true });
  const frame = el("div", { class: "mg-map-frame" });
  const film = (app.film ??= createFilm(app));
  const root = el("div", { class: "mg-map" }, header, empty, frame, film.bar);
  container.append(root);
  const bars = createBars(frame, app);
  const room = createRoom(ruler, header, () => latest && update(latest.state, latest.view));
  let drawn = null;
  let structure = null;
  let latest = null;
  let operands = []; // of the open working
  let target = null; // what is to be chosen
  let markedFor = null; // the view they belong to
  const { follow, showCell } = createCamera(app);
  const hues = [];
  let opened = 0; // the block that shows its cells where not all can

  function update(state, view) {
    latest = { state, view };
    setText(hint, app.t(room.width() < NARROW ? "map.hint.touch" : "map.hint"));
    setText(empty, app.t("map.empty"));
    bars.update(state, view);
    empty.hidden = view.trace !== null;
    frame.hidden = view.trace === null;
    if (view.trace === null) {
      film.update(state, view);
      return;
    }
    const { config } = view.model;
    const sequence = view.window.length;
    opened = blockOf(state.stage) ?? opened;
    const shown = foldedBlocks(config, sequence, opened).size ? opened : null;
    const width = room.width();
    const height = width < NARROW ? null : room.height();
    const wanted = JSON.stringify([config, sequence, width, height, shown]);
    if (wanted !== structure) {
      structure = wanted;
      const place = drawn?.focusedPlace() ?? null;
      const board = layoutMap(config, sequence, width, { open: opened, height });
      drawn = createBoardView(board, app, bars.element);
      replace(frame, drawn.element);
      film.attach(drawn.parts);
      hues.length = 0;
      drawn.update(state, view);
      if (place) drawn.focusPlace(place);
      drawn.markTarget(target);
      if (view === markedFor) drawn.markOperands(operands);
    } else {
      drawn.update(state, view);
    }
    paintHues(view.window);
    follow(drawn);
    film.update(state, view);
  }

  /**
   * The hue of each position's word, on everything drawn in it. A property of their own each: one
   * on the root costs a new style of every element below it.
   */
  function paintHues(window) {
    window.forEach((id, position) => {
      if (hues[position] === id) return;
      hues[position] = id;
      for (const part of frame.querySelectorAll(`[data-hue="${position}"]`)) {
        setStyle(part, "--hue", wordColour(id));
      }
    });
  }

  return {
    update,
    /** The cells that the open working reads, {key, cell}[]. */
    markOperands(refs) {
      operands = refs;
      markedFor = latest?.view;
      drawn?.markOperands(refs);
    },
    /** The one of them that is pointed at in the working, or null. */
    pointOperand: (ref) => drawn?.pointOperand(ref),
    /** Ring the cell {key, cell} that is to be chosen, and bring it into view; null rings none. */
    markTarget(ref) {
      const isNew = JSON.stringify(ref) !== JSON.stringify(target);
      target = ref;
      const cell = drawn?.markTarget(ref);
      if (cell && isNew) showCell(drawn.scroller, cell);
    },
    /** Bring the cell {key, cell} into view. */
    bringIntoView(ref) {
      const cell = drawn?.cellAt(ref);
      if (cell) showCell(drawn.scroller, cell);
    },
    /** Where the page puts what belongs to the whole map. */
    tools,
  };
}

/** The block of a stage's key, or null. */
function blockOf(stage) {
  const found = /^blocks\.(\d+)\./.exec(stage ?? "");
  return found ? Number(found[1]) : null;
}
