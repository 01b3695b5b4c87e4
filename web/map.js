/**
 * The map: every value between the words and the next word, drawn as a road.
 *
 * `map/layout.js` says where everything lies (pure, from the sizes alone), the views in `map/`
 * draw it once for a structure (sizes, length, room) and are then only repainted.
 */

import { createBars } from "./bars.js";
import { el, replace, setText } from "./dom.js";
import { createFilm } from "./film.js";
import { createBoardView } from "./map/board_view.js";
import { foldedBlocks, layoutMap, NARROW } from "./map/layout.js";
import { createHues } from "./map/hues.js";
import { createMarks } from "./map/marks.js";
import { createRoom } from "./map/room.js";
import { blockOf } from "./map/stages.js";
import { watchTheme } from "./map/theme_colours.js";
import { createWatchBar } from "./map/watch_bar.js";
import { createWatching } from "./watching.js";

/** @param {HTMLElement} [ruler] as wide as the map with nothing beside it */
export function createMap(container, app, ruler = container) {
  const hint = el("span");
  const keys = el("span", { class: "mg-map-keys" });
  const told = el("p", { class: "mg-map-hint" }, hint, " ", keys);
  const tools = el("div", { class: "mg-map-tools" });
  const header = el("header", { class: "mg-map-header" }, tools);
  const empty = el("p", { class: "mg-map-empty", hidden: true });
  const frame = el("div", { class: "mg-map-frame" });
  const film = createFilm(app);
  const watching = createWatching(app);
  const watchBar = createWatchBar({ ...app, watching });
  const root = el("div", { class: "mg-map" }, header, empty, frame, watchBar.element, told, film.bar);
  container.append(root);
  const bars = createBars(frame, app);
  const room = createRoom({ ruler, header, seen: app.seen }, () => latest && draw(latest.state, latest.view, latest));
  let drawn = null;
  let structure = null;
  let latest = null;
  const marks = createMarks(app, () => drawn);
  const hues = createHues(frame);
  let opened = 0; // the block that shows its cells where not all can

  function update(state, own) {
    const before = latest;
    const view = watching.over(own);
    latest = { state, view, own };
    watchBar.update();
    if (before?.view !== view || !differsInFilmAlone(state, before.state)) draw(state, view, before);
    film.update(state, view);
  }

  function draw(state, view, before) {
    setText(hint, app.t(room.width() < NARROW ? "map.hint.touch" : "map.hint"));
    setText(keys, app.t("map.hint.keys"));
    setText(empty, app.t("map.empty"));
    const isOther = before?.view.trace && view.trace && sourceOf(before.view) !== sourceOf(view);
    const from = isOther ? drawn.remembered() : null;
    bars.update(state, view);
    empty.hidden = view.trace !== null || Boolean(view.isAwaited);
    root.classList.toggle("mg-map-awaited", Boolean(view.isAwaited));
    frame.hidden = view.trace === null;
    if (view.trace === null) return;
    const { config } = view.model;
    const sequence = view.window.length;
    opened = view.block ?? blockOf(state.stage) ?? opened;
    const shown = foldedBlocks(config, sequence, opened).size ? opened : null;
    const width = room.width();
    const height = width < NARROW ? null : room.height();
    const wanted = JSON.stringify([config, sequence, width, height, shown]);
    const isNew = wanted !== structure;
    if (isNew) {
      structure = wanted;
      const place = drawn?.focusedPlace() ?? null;
      const board = layoutMap(config, sequence, width, { open: opened, height });
      drawn = createBoardView(board, app, bars);
      replace(frame, drawn.element);
      film.attach(drawn.parts);
      hues.forget();
      drawn.update(state, view);
      if (place) drawn.focusPlace(place);
    } else {
      drawn.update(state, view);
    }
    hues.paint(view.window);
    marks.update(view, isNew);
    if (from && (state.film ?? null) === null) drawn.morphFrom(from);
  }

  watchTheme(() => drawn?.repaint());
  watching.subscribe(() => latest && update(latest.state, latest.own));
  return {
    update,
    marks,
    /** The steps of a training that the map can show instead: see watching.js. */
    watching,
    /** The button that plays the film. */
    play: film.button,
    /** Where the page puts what belongs to the whole map. */
    tools,
  };
}

/** Whose weights a view is of; the steps of one training are one source. */
function sourceOf({ model }) {
  return model.id.replace(/-\d+$/, "");
}

/** A running film changes the state all the time, and nothing of the map. */
function differsInFilmAlone(state, before) {
  return state.film !== before.film && Object.keys(state).every((key) => key === "film" || state[key] === before[key]);
}
