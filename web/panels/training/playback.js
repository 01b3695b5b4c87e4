/** Replays the training from the selected step at a constant rate. */

import { el } from "../../dom.js";

const FRAME_MS = 100;
const FRAMES = 80; // a whole training takes eight seconds

/** `from()`: the index shown, `count()`: how many there are, `show(index)`. */
export function createPlayback(t, { from, count, show }) {
  const element = el("button", { type: "button", class: "mg-button", onclick: () => (timer ? stop() : play()) });
  let timer = null;

  function play() {
    const start = from() >= count() - 1 ? 0 : from();
    show(start);
    timer = setInterval(next, FRAME_MS);
    update();
  }

  function next() {
    const last = count() - 1;
    const ahead = Math.min(last, from() + Math.max(1, Math.round(count() / FRAMES)));
    if (ahead === last) stop();
    show(ahead);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    update();
  }

  function update() {
    element.textContent = t(timer ? "training.pause" : "training.play");
  }

  return { element, update };
}
