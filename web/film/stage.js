/** What the film draws on: what is hidden on the board, what moves over it, and what is in view. */

import { el } from "../dom.js";
import { createMotions } from "./motions.js";
import { createScreen } from "./screen.js";
import { createSight } from "./sight.js";
import { prefersStillness } from "../stillness.js";

/**
 * One showing of one view on one board, from opening to closing.
 *
 * @param {object} parts of the drawn board
 * @param {object} view trace, window, words
 * @param {object[]} scenes of the timeline
 */
export function createStage(parts, view, scenes, { bar, player, scrollRoom }) {
  const layer = el("div", { class: "mg-film-layer", "aria-hidden": "true" });
  const outside = el("div", { class: "mg-film-outside", "aria-hidden": "true" });
  const screen = createScreen(parts, scenes);
  const sight = createSight(parts, bar.element, scrollRoom);
  const canMove = Boolean(layer.animate) && !prefersStillness();
  const motions = canMove ? createMotions(parts, view, { layer, outside }) : () => [];
  parts.plane.append(layer);
  (parts.plane.closest(".mini-gpt") ?? parts.plane).append(outside);
  let place = null;
  let moving = [];
  let last = 0; // the time that was last shown, in the scene
  let speed = 0; // at which what moves runs by itself; 0: its time is set

  function setOut(time) {
    const isRunning = speed > 0 && time < scenes[place].duration; // one at its end would begin again
    for (const animation of moving) {
      animation.currentTime = time;
      animation.playbackRate = speed || 1;
      if (isRunning) animation.play();
      else animation.pause();
    }
  }

  function clear() {
    for (const animation of moving) animation.cancel();
    layer.replaceChildren();
    outside.replaceChildren();
  }

  return {
    scenes,
    isOf: (drawn, shown) => drawn === parts && shown === view,
    show(at, time) {
      if (at !== place) {
        sight.bring(scenes[at], player.isPlaying() && !prefersStillness()); // while nothing has changed
        clear();
        moving = motions(scenes[at]);
        place = at;
        setOut(time);
      } else if (!speed) {
        for (const animation of moving) animation.currentTime = time;
      }
      last = time;
      screen.show(at, time);
      bar.move((scenes[at].start + time) / player.length());
    },
    /** What moves runs at `times` the speed, or stops. */
    run(times) {
      if (times === speed) return;
      speed = times;
      setOut(last);
    },
    end() {
      clear();
      screen.clear();
      sight.end();
      layer.remove();
      outside.remove();
    },
  };
}
