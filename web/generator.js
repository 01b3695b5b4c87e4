/**
 * Appends words chosen by the model, one per request. Stopping means sending no further request;
 * an answer that arrives after a stop or after an edit of the sentence is dropped.
 */

import { refusal } from "./asking.js";
import { viewRequest } from "./viewer.js";

const PACE_MS = 150; // slow enough to follow by eye

/** Temporary errors: the engine is being prepared. */
const PASSING = new Set(["torch_loading", "onnx_preparing"]);

/**
 * The next draw of a seed is the row after those its words came from: `state.drawn`. So words
 * appended one by one are the words of one long generation.
 */
export function createGenerator({ store, server, viewer }) {
  const subscribers = new Set();
  const refusals = new Set();
  let run = null;

  function change(next) {
    run = next;
    for (const subscriber of [...subscribers]) subscriber(run !== null);
  }

  /** Append `count` words; while running, `count` more. */
  async function start(count) {
    if (run) {
      run.left += count;
      return;
    }
    const mine = { left: count, tokens: store.get().tokens, pace: Promise.resolve() };
    change(mine);
    try {
      while (run === mine && mine.left > 0) {
        if (await appendOne(mine)) mine.left -= 1;
      }
    } catch (error) {
      const code = refusal(error); // the sentence stays as far as it came
      for (const listener of refusals) listener(code);
    } finally {
      if (run === mine) change(null);
    }
  }

  /**
   * Ask for a word and show it, at its pace; false if none came. It is asked for as soon as the
   * one before is there, so a slow line does not add to the pace.
   */
  async function appendOne(mine) {
    const state = store.get();
    const { seed, ...sampling } = state.sampling;
    const asked = viewRequest(state);
    let answer;
    try {
      answer = await server.step({ ...viewer.request(), sampling, seed, index: state.drawn });
    } catch (error) {
      if (!PASSING.has(error.code)) throw error;
      await sleep(PACE_MS);
      return false;
    }
    await mine.pace;
    if (run !== mine) return false;
    mine.pace = sleep(PACE_MS);
    mine.tokens = [...state.tokens, answer.next_id];
    const patch = { tokens: mine.tokens, drawn: state.drawn + 1 };
    const isOfPresent = JSON.stringify(viewRequest(store.get())) === JSON.stringify(asked);
    if (isOfPresent) viewer.change(patch, answer.view);
    else store.set(patch); // the engine was switched meanwhile: the word stands, its view not
    return true;
  }

  // Whoever changes the sentence ends the run: the next word would no longer belong to it.
  store.subscribe((state) => {
    if (run && state.tokens !== run.tokens) change(null);
  });

  return {
    start,
    stop: () => run && change(null),
    running: () => run !== null,
    /** `fn(running)` whenever a run begins or ends. */
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** `fn(code)` when the server refuses to go on. */
    onRefusal: (listener) => refusals.add(listener),
  };
}

function sleep(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
