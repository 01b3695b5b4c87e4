/**
 * The film: one prediction on the map, value by value, made of the trace alone. `state.film` is the
 * stop it stands at, or null; it lies over the map and changes no value of it.
 */

import { listenForKeys } from "./composing.js";
import { createBar } from "./film/bar.js";
import { createOpenButton } from "./film/open_button.js";
import { createNarration } from "./film/words.js";
import { createPlayer } from "./film/player.js";
import { createQuick } from "./film/quick.js";
import { createStage } from "./film/stage.js";
import { timelineOf } from "./film/timeline.js";
import { prefersStillness } from "./stillness.js";
import { hasBlock } from "./viewer.js";

const KEPT_EVERY = 2000; // ms of the film: the address costs a late frame
const OWN_ARROWS = 'input:not([type="range"]), select, textarea, [contenteditable], [role="tablist"], [role="radiogroup"], [role="slider"], .mg-map-board';

/**
 * `button` opens it, `bar` stands by the map; `attach(parts)` is called with every newly drawn board,
 * `update(state, view)` after the map's own.
 */
export function createFilm(app) {
  const { store, t } = app;
  const button = createOpenButton(t, open);
  const quick = createQuick();
  const narration = createNarration(app, () => stage && tell());
  const keepPlace = createKeeper(store);
  const player = createPlayer({
    show: (...at) => stage.show(...at),
    run: (speed) => stage.run(speed),
    onState: tell,
    isStill: prefersStillness,
  });
  const bar = createBar(t, player, close);
  let parts = null; // of the board as it is drawn now
  let latest = null; // {state, view} of the last update
  let stage = null; // what the open film draws on, null while it is closed

  function open() {
    store.set({ film: 0 });
    if (!stage) return;
    player.seek(0);
    if (!prefersStillness()) player.play();
    bar.focus();
  }

  function close() {
    const hadFocus = bar.element.contains(document.activeElement);
    store.set({ film: null });
    if (hadFocus) button.element.focus({ preventScroll: true });
  }

  function tell() {
    const place = player.place();
    const said = narration.of(stage.scenes[place], parts.board, latest, player.isPlaying() && !prefersStillness());
    keepPlace(player);
    bar.update({ ...said, place, count: stage.scenes.length, isPlaying: player.isPlaying(), speed: player.speed() });
  }

  function start(place) {
    stage?.end();
    const { view } = latest;
    const scenes = timelineOf(parts.board.config, parts.board.sequence, view.trace);
    stage = createStage(parts, view, scenes, { bar, player, scrollRoom: app.scrollRoom });
    bar.element.hidden = false;
    player.load(scenes, place);
  }

  function end() {
    player.stop();
    stage.end();
    stage = null;
    bar.element.hidden = true;
  }

  store.subscribe((state, previous) => state.tokens !== previous.tokens && quick.cut()); // no click waits for it
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
      const isWanted = view.trace !== null && Number.isInteger(state.film) && hasBlock(view, null);
      button.update(view.trace !== null, isWanted);
      const isSame = stage?.isOf(parts, view) ?? false;
      if (!isWanted) {
        if (stage) end();
        if (before && isAppended(before.view, view) && !prefersStillness()) quick.play(parts);
      } else if (!isSame || (state.film !== before.state.film && state.film !== player.place())) {
        start(state.film);
      } else if (before.state.lang !== state.lang) {
        tell();
      }
    },
  };
}

/** The stop is in the state, and so in the address; while the film runs, not at every one. */
function createKeeper(store) {
  let kept = 0; // the time of the film when it was last done
  return (player) => {
    const isDue = !player.isPlaying() || Math.abs(player.time() - kept) >= KEPT_EVERY;
    if (!isDue || store.get().film === player.place()) return;
    kept = player.time();
    store.set({ film: player.place() });
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

function isAppended(before, now) {
  const tokens = now.trace ? now.tokens : null;
  if (before === now || !tokens || !before.tokens) return false;
  return tokens.length === before.tokens.length + 1 && before.tokens.every((id, place) => id === tokens[place]);
}
