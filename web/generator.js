/**
 * Appending the model's own words, one a request. Stopping is not asking again; an answer that
 * comes after a stop, or after the person changed the sentence, is dropped.
 */

import { viewRequest } from "./viewer.js";

const PACE_MS = 150;

export function createGenerator({ store, server, viewer }) {
  const subscribers = new Set();
  let run = null;

  function change(next) {
    run = next;
    for (const subscriber of subscribers) subscriber(run !== null);
  }

  /** Append `count` words; while running, `count` more. */
  async function start(count) {
    if (run) {
      run.left += count;
      return;
    }
    const mine = { left: count, tokens: store.get().tokens };
    change(mine);
    try {
      while (run === mine && mine.left > 0) {
        const began = performance.now();
        await appendOne(mine);
        mine.left -= 1;
        if (mine.left > 0) await sleep(PACE_MS - (performance.now() - began));
      }
    } catch (error) {
      if (!error.code) throw error; // shown already: the sentence stays as far as it came
    } finally {
      if (run === mine) change(null);
    }
  }

  async function appendOne(mine) {
    const state = store.get();
    const { seed, ...sampling } = state.sampling;
    const answer = await server.step({
      ...viewRequest(state),
      sampling,
      seed,
      index: state.drawn,
    });
    if (run !== mine || store.get().tokens !== mine.tokens) return;
    mine.tokens = [...state.tokens, answer.next_id];
    store.set({ tokens: mine.tokens, drawn: state.drawn + 1 });
    viewer.accept(answer.view);
  }

  // Whoever changes the sentence ends the run: the next word would no longer belong to it.
  store.subscribe((state) => {
    if (run && state.tokens !== run.tokens) change(null);
  });

  return {
    start,
    stop: () => run && change(null),
    running: () => run !== null,
    subscribe: (subscriber) => subscribers.add(subscriber),
  };
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
