/** The film's clock: where it is, whether it runs and how fast. It draws through `show` alone. */

import { endOf, sceneAt } from "./timeline.js";

const LONGEST_STEP = 250; // ms of a frame: a page that was out of sight goes on where it was

/**
 * @param {object} given `show(place, ms in the scene)`, called in every frame; `run(speed)`, whenever
 *   it sets out (0: stops), so that what moves needs no frame of its own; `onState()` after every change of what
 *   `place`, `isPlaying` and `speed` say; `isStill()`: whether nothing may move, so that every scene
 *   is shown as it ends
 */
export function createPlayer({ show, run: setOut, onState, isStill }) {
  let scenes = [];
  let time = 0;
  let until = 0; // where it stops by itself
  let speed = 1;
  let frame = null;
  let last = null;

  const length = () => (scenes.length ? endOf(scenes.at(-1)) : 0);
  const place = () => sceneAt(scenes, time);

  function draw() {
    const at = place();
    show(at, isStill() ? scenes[at].duration : time - scenes[at].start);
  }

  function tick(now) {
    frame = null;
    const before = place();
    time = Math.min(until, time + Math.min(now - last, LONGEST_STEP) * speed);
    last = now;
    draw();
    if (time < until) frame = requestAnimationFrame(tick);
    else setOut(0);
    if (frame === null || place() !== before) onState();
  }

  function run(to) {
    until = to;
    setOut(speed);
    if (frame !== null) return;
    last = performance.now();
    frame = requestAnimationFrame(tick);
  }

  function halt() {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    setOut(0);
  }

  function rest(at) {
    halt();
    time = at;
    draw();
    onState();
  }

  return {
    time: () => time,
    length,
    place,
    speed: () => speed,
    isPlaying: () => frame !== null,
    /** Begin to show `made`, at rest at the end of the scene `at`. */
    load(made, at) {
      scenes = made;
      const wanted = Math.max(0, Math.min(at, scenes.length - 1));
      rest(endOf(scenes[wanted]));
    },
    /** From where it is, or from the beginning where it has ended. */
    play() {
      if (time >= length()) time = 0;
      run(length());
      onState();
    },
    pause: () => rest(time),
    seek: (to) => rest(Math.max(0, Math.min(to, length()))),
    /** Scene by scene: forwards it runs through the next one, backwards it rests at the last one's end. */
    step(direction) {
      const next = place() + direction;
      if (next < 0 || next >= scenes.length) return rest(direction < 0 ? endOf(scenes[0]) : length());
      if (direction < 0 || isStill()) return rest(endOf(scenes[next]));
      time = scenes[next].start + 1;
      draw();
      run(endOf(scenes[next]));
      return onState();
    },
    setSpeed(times) {
      speed = times;
      if (frame !== null) setOut(speed);
      onState();
    },
    stop: halt,
  };
}
