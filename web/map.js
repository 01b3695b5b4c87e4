/**
 * The map: every value between the words and the next word, drawn as a road.
 *
 * `map/layout.js` says where everything lies (pure, from the sizes alone), the views in `map/`
 * draw it once for a structure (sizes, length, width) and are then only repainted.
 */

import { wordColour } from "./colours.js";
import { el, replace, setStyle, setText } from "./dom.js";
import { createFilm } from "./film.js";
import { createBoardView } from "./map/board_view.js";
import { foldedBlocks, layoutMap, NARROW } from "./map/layout.js";

const FALLBACK_WIDTH = 1200; // where nothing is laid out yet, as in a test without a browser

export function createMap(container, app) {
  const title = el("h2", { class: "mg-map-heading-title" });
  const hint = el("p", { class: "mg-map-hint" });
  const empty = el("p", { class: "mg-map-empty", hidden: true });
  const frame = el("div", { class: "mg-map-frame" });
  const film = (app.film ??= createFilm(app));
  const root = el(
    "div",
    { class: "mg-map" },
    el("header", { class: "mg-map-header" }, title, hint, film.button),
    empty,
    frame,
    film.bar,
  );
  container.append(root);
  let drawn = null;
  let structure = null;
  let latest = null;
  let width = 0;
  const hues = [];
  let opened = 0; // the block that shows its cells where not all can

  function update(state, view) {
    const before = latest;
    latest = { state, view };
    if (before?.view !== view || !differsInFilmAlone(state, before.state)) draw(state, view, before);
    film.update(state, view);
  }

  function draw(state, view, before) {
    setText(title, app.t("map.title"));
    setText(hint, app.t(frameWidth() < NARROW ? "map.hint.touch" : "map.hint"));
    setText(empty, app.t("map.empty"));
    empty.hidden = view.trace !== null;
    frame.hidden = view.trace === null;
    if (view.trace === null) return;
    const isOther = before?.view.trace && sourceOf(before.view) !== sourceOf(view);
    const from = isOther ? drawn.remembered() : null;
    const { config } = view.model;
    const sequence = view.window.length;
    opened = blockOf(state.stage) ?? opened;
    const shown = foldedBlocks(config, sequence, opened).size ? opened : null;
    const wanted = JSON.stringify([config, sequence, frameWidth(), shown]);
    if (wanted !== structure) {
      structure = wanted;
      const place = drawn?.focusedPlace() ?? null;
      drawn = createBoardView(layoutMap(config, sequence, frameWidth(), opened), app);
      replace(frame, drawn.element);
      film.attach(drawn.parts);
      hues.length = 0;
      drawn.update(state, view);
      if (place) drawn.focusPlace(place);
    } else {
      drawn.update(state, view);
    }
    paintHues(view.window);
    if (from && (state.film ?? null) === null) drawn.morphFrom(from);
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

  /** The room there is, in px; read from the page once, then told by the observer. */
  function frameWidth() {
    width ||= Math.floor(root.clientWidth) || FALLBACK_WIDTH;
    return width;
  }

  if (typeof ResizeObserver === "function") {
    new ResizeObserver(([entry]) => {
      const now = Math.floor(entry.contentRect.width);
      if (!now || now === width) return;
      width = now;
      if (latest) update(latest.state, latest.view);
    }).observe(root);
  }
  return { update };
}

/** Whose weights a view is of; the steps of one training are one source. */
function sourceOf({ model }) {
  return model.id.replace(/-\d+$/, "");
}

/** A running film changes the state all the time, and nothing of the map. */
function differsInFilmAlone(state, before) {
  return state.film !== before.film && Object.keys(state).every((key) => key === "film" || state[key] === before[key]);
}

/** The block of a stage's key, or null. */
function blockOf(stage) {
  const found = /^blocks\.(\d+)\./.exec(stage ?? "");
  return found ? Number(found[1]) : null;
}
