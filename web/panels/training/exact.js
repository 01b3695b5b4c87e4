/** The full view of each watched prompt at one step of a training, once the slider has settled. */

import { PASSING, refusal } from "../../asking.js";

const SETTLED_MS = 120; // debounce: no request while the slider is moving
const RETRY_MS = 1000; // PyTorch is still loading, or the connection was lost
const MOST_KEPT = 256; // views

/** @param {() => void} onArrival called when a wanted view has arrived */
export function createExact({ server }, onArrival) {
  const views = new Map();
  let wanted = [];
  let timer = null;
  let asking = false;

  function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(ask, milliseconds);
  }

  async function ask() {
    const next = wanted.find((key) => !views.has(key));
    if (asking || next === undefined) return;
    asking = true;
    try {
      const view = await server.view({ ...JSON.parse(next), engine: "torch" });
      if (views.size >= MOST_KEPT) views.clear();
      views.set(next, view);
      if (wanted.includes(next)) onArrival();
      later(0);
    } catch (error) {
      if (PASSING.includes(refusal(error))) later(RETRY_MS);
      else if (!wanted.includes(next)) later(0); // other views are wanted by now
    } finally {
      asking = false;
    }
  }

  return {
    /** @param {number[][]} prompts in order of priority */
    want(model, prompts) {
      const keys = prompts.map((tokens) => keyOf(model, tokens));
      if (String(keys) === String(wanted)) return;
      wanted = keys;
      later(SETTLED_MS);
    },
    /** The view, or null if it has not been loaded. */
    get: (model, tokens) => views.get(keyOf(model, tokens)) ?? null,
  };
}

function keyOf(model, tokens) {
  return JSON.stringify({ model, tokens });
}
