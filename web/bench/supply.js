/**
 * What the bench shows beside the trace: values between trace values, weights, one working.
 *
 * Asked for together with the view, not after it; an answer to an older state is dropped.
 * Weights are kept, since a sentence does not change them.
 */

import { viewRequest } from "../viewer.js";

const WEIGHTS_KEPT = 64;

export function createSupply({ server }, onArrival) {
  const weights = new Map(); // "model edits name" -> values
  let asked = null;
  let answer = null;

  const weightId = (state, key) => JSON.stringify([state.model, state.edits, key]);

  function requestFor(state, stage, cell, fold) {
    const missing = stage.weights
      .map(({ key }) => key)
      .filter((key) => !weights.has(weightId(state, key)));
    const derived = stage.values.filter((value) => !value.traced).map(({ key }) => key);
    return { ...viewRequest(state), keys: [...derived, ...missing], cell, fold };
  }

  async function ask(state, stage, request, id) {
    asked = id;
    try {
      const told = await server.bench_values(request);
      keepWeights(state, stage, told.values);
      if (asked !== id) return;
      answer = { id, values: told.values, working: told.working };
      onArrival();
    } catch (error) {
      if (asked === id) asked = null;
      if (!error.code) throw error;
    }
  }

  function keepWeights(state, stage, values) {
    for (const { key } of stage.weights) {
      if (key in values) weights.set(weightId(state, key), values[key]);
    }
    while (weights.size > WEIGHTS_KEPT) weights.delete(weights.keys().next().value);
  }

  return {
    /**
     * `{values: {key: nested lists}, working}` for this state, or null while it is on its way.
     *
     * @param {{key, cell}|null} cell the cell whose working is wanted
     */
    get(state, stage, cell, fold = true) {
      const needed = JSON.stringify([viewRequest(state), stage.key, cell, fold]);
      if (answer?.id !== needed) {
        const request = requestFor(state, stage, cell, fold);
        if (request.keys.length || cell) {
          if (asked !== needed) ask(state, stage, request, needed);
          return null;
        }
        asked = null;
        answer = { id: needed, values: {}, working: null };
      }
      const kept = stage.weights.map(({ key }) => [key, weights.get(weightId(state, key))]);
      return { values: { ...Object.fromEntries(kept), ...answer.values }, working: answer.working };
    },
  };
}
