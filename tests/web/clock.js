/**
 * Time that a test moves: the page's timers run when the test says so, in the order of their
 * time, and no test waits for a second to pass.
 */

const FRAME_MS = 16;
const TURNS = 3; // of the event loop, for promises that wait on promises

/** Gives `window` and the modules its timers; `now()` is in ms. */
export function createClock(window) {
  const waiting = new Map(); // number -> {due, run}
  const busy = new Set(); // real work: answers that are still being made
  let time = 0;
  let last = 0;

  function later(run, delay = 0, ...values) {
    last += 1;
    waiting.set(last, { due: time + Math.max(0, Number(delay) || 0), run: () => run(...values) });
    return last;
  }

  const timers = {
    setTimeout: later,
    clearTimeout: (number) => waiting.delete(number),
    requestAnimationFrame: (run) => later(() => run(time), FRAME_MS),
    cancelAnimationFrame: (number) => waiting.delete(number),
  };
  Object.assign(window, timers);
  Object.assign(globalThis, timers);
  window.performance.now = () => time;

  /** All that was promised is done. */
  async function settled() {
    do {
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
      await Promise.all(busy);
    } while (busy.size);
  }

  const next = () =>
    [...waiting].reduce((first, one) => (first && first[1].due <= one[1].due ? first : one), null);

  /** Let `milliseconds` pass. */
  async function pass(milliseconds) {
    const end = time + milliseconds;
    await settled();
    for (let timer = next(); timer && timer[1].due <= end; timer = next()) {
      await step(timer);
    }
    time = end;
  }

  async function step([number, { due, run }]) {
    waiting.delete(number);
    time = Math.max(time, due);
    run();
    await settled();
  }

  return {
    now: () => time,
    later,
    settled,
    pass,
    /** Real work the clock waits for before it moves on. */
    hold(promise) {
      busy.add(promise);
      promise.finally(() => busy.delete(promise)).catch(() => undefined);
      return promise;
    },
    /** Let time pass until `check` no longer throws; for `limit` ms at most. */
    async until(check, limit = 30_000) {
      const end = time + limit;
      for (;;) {
        await settled();
        try {
          return await check();
        } catch (error) {
          const timer = next();
          if (!timer || timer[1].due > end) throw error;
          await step(timer);
        }
      }
    },
  };
}
