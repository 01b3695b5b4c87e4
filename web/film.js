/**
 * The film: one prediction on the map, value by value, made of the trace alone. `state.film` is the
 * stop it stands at, or null; it lies over the map and changes no value of it.
 */

import { listenForKeys } from "./composing.js";
import { el } from "./dom.js";
import { createBar } from "./film/bar.js";
import { createMotions } from "./film/motions.js";
import { createOpenButton } from "./film/open_button.js";
import { createNarration } from "./film/words.js";
import { createPlayer } from "./film/player.js";
import { createQuick } from "./film/quick.js";
import { createScreen } from "./film/screen.js";
import { bringIntoView } from "./film/sight.js";
import { timelineOf } from "./film/timeline.js";

const OWN_ARROWS = 'input:not([type="range"]), select, textarea, [contenteditable], [role="tablist"], [role="radiogroup"], [role="slider"], .mg-map-board';

/**
 * `button` opens it, `bar` stands by the map; `attach(parts)` is called with every newly drawn board,
 * `update(state, view)` after the map's own.
 */
export function createFilm(app) {
  const { store, t } = app;
  const button = createOpenButton(t, open);
  const bar = createBar(t, {
    play: () => (player.isPlaying() ? player.pause() : player.play()),
    step: (direction) => player.step(direction),
    seek: (share) => player.seek(share * player.length()),
    speed: (times) => player.setSpeed(times),
    close,
  });
  const quick = createQuick();
  const narration = createNarration(app, () => stage && tell());
  const player = createPlayer({ show: (place, time) => stage.show(place, time), onState: keepPlace, isStill });
  let parts = null; // of the board as it is drawn now
  let latest = null; // {state, view} of the last update
  let stage = null; // what the open film draws on, null while it is closed

  function open() {
    store.set({ film: 0 });
    if (!stage) return;
    if (!isStill()) player.restart();
    bar.focus();
  }

  function close() {
    const hadFocus = bar.element.contains(document.activeElement);
    store.set({ film: null });
    if (hadFocus) button.element.focus({ preventScroll: true });
  }

  /** The stop is in the state, and so in the address. */
  function keepPlace() {
    tell();
    if (store.get().film !== player.place()) store.set({ film: player.place() });
  }

  function tell() {
    const place = player.place();
    const said = narration.of(stage.scenes[place], parts.board, latest, player.isPlaying() && !isStill());
    bar.move(player.time() / player.length());
    bar.update({ ...said, place, count: stage.scenes.length, isPlaying: player.isPlaying(), speed: player.speed() });
  }

  function start(place) {
    stage?.end();
    const { view } = latest;
    const scenes = timelineOf(parts.board.config, parts.board.sequence, view.trace);
    stage = createStage(parts, view, scenes, bar, player);
    bar.element.hidden = false;
    player.load(scenes, place);
  }

  function end() {
    player.stop();
    stage.end();
    stage = null;
    bar.element.hidden = true;
  }

  // A click on a word must not wait for what shows the one before.
  store.subscribe((state, previous) => state.tokens !== previous.tokens && quick.cut());
  listenForArrows(() => stage && bar.element.isConnected, (direction) => player.step(direction));

  return {
    button: button.element,
    bar: bar.element,
    attach(drawn) {
      quick.cut();
      parts = drawn;
    },
    update(state, view) {
      const before = latest;
      latest = { state, view };
      const isWanted = state.film !== null && state.film !== undefined && view.trace !== null;
      button.update(view.trace !== null, isWanted);
      const isSame = stage?.isOf(parts, view) ?? false;
      if (!isWanted) {
        if (stage) end();
        if (before && isAppended(before.view, view) && !isStill()) quick.play(parts, view);
      } else if (!isSame || state.film !== player.place()) {
        start(state.film);
      } else if (before.state.lang !== state.lang) {
        tell();
      }
    },
  };
}

/** The arrows step from stop to stop while the film is open, wherever nothing else uses them. */
function listenForArrows(isOpen, step) {
  listenForKeys(document, (event) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction || !isOpen() || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.(OWN_ARROWS)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the working area listens too
    step(direction);
  }, true);
}

/** One showing of one view on one board. */
function createStage(parts, view, scenes, bar, player) {
  const layer = el("div", { class: "mg-film-layer", "aria-hidden": "true" });
  const outside = el("div", { class: "mg-film-outside", "aria-hidden": "true" });
  const screen = createScreen(parts, scenes);
  const canMove = Boolean(layer.animate) && !isStill();
  const motions = canMove ? createMotions(parts, view, { layer, outside }) : () => [];
  parts.plane.append(layer);
  (parts.plane.closest(".mini-gpt") ?? parts.plane).append(outside);
  let place = null;
  let moving = [];

  function clear() {
    for (const animation of moving) animation.cancel();
    layer.replaceChildren();
    outside.replaceChildren();
  }

  return {
    scenes,
    isOf: (drawn, shown) => drawn === parts && shown === view,
    show(at, time) {
      screen.show(at, time);
      if (at !== place) {
        clear();
        bringIntoView(parts, scenes[at], bar.element, player.isPlaying() && !isStill());
        moving = motions(scenes[at]);
        place = at;
      }
      for (const animation of moving) animation.currentTime = time;
      bar.move((scenes[at].start + time) / player.length());
    },
    end() {
      clear();
      screen.clear();
      layer.remove();
      outside.remove();
    },
  };
}

function isAppended(before, now) {
  const tokens = now.trace ? now.tokens : null;
  if (before === now || !tokens || !before.tokens) return false;
  return tokens.length === before.tokens.length + 1 && before.tokens.every((id, place) => id === tokens[place]);
}

function isStill() {
  return !window.matchMedia || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
