/**
 * What the working area needs besides the trace: intermediate values, weights, one working.
 *
 * Requested together with the view, not after it. At most one request is pending; when it is
 * answered, the newest one is sent, and an answer to an older state is dropped. Weights are
 * cached, as they do not depend on the sentence.
 */

import { refusal } from "../asking.js";
import { viewRequest } from "../viewer.js";

const WEIGHTS_KEPT = 64;

export function createSupply({ server }, onArrival) {
  const weights = new Map(); // "model edits name" -> values
  let wanted = null; // the newest request: {id, stage, state, request}
  let isAsking = false;
  let answer = null;

  const weightId = (state, key) => JSON.stringify([state.model, state.edits, key]);

  function requestFor(state, stage, cell, fold) {
    const missing = stage.weights
      .map(({ key }) => key)
      .filter((key) => !weights.has(weightId(state, key)));
    const derived = stage.values.filter((value) => !value.traced).map(({ key }) => key);
    return { ...viewRequest(state), keys: [...derived, ...missing], cell, fold };
  }

  async function ask() {
    if (isAsking) return;
    isAsking = true;
    const asked = wanted;
    try {
      accept(asked, await server.stage_values(asked.request));
    } catch (error) {
      if (wanted === asked) wanted = null; // retried at the next draw
      refusal(error);
    } finally {
      isAsking = false;
    }
    if (wanted && wanted !== asked) ask();
  }

  function accept(asked, { values, working, shifted }) {
    keepWeights(asked.state, asked.stage, values);
    if (wanted !== asked) return;
    answer = { id: asked.id, values, working, shifted };
    onArrival();
  }

  function keepWeights(state, stage, values) {
    for (const { key } of stage.weights) {
      if (key in values) weights.set(weightId(state, key), values[key]);
    }
    while (weights.size > WEIGHTS_KEPT) weights.delete(weights.keys().next().value);
  }

  return {
    /**
     * `{values: {key: nested lists}, working, shifted}` for this state, or null while it is loading.
     *
     * @param {{key, cell}|null} cell the cell whose working is wanted
     */
    get(state, stage, cell, fold = true) {
      const needed = JSON.stringify([viewRequest(state), stage.key, cell, fold]);
      if (answer?.id !== needed) {
        const request = requestFor(state, stage, cell, fold);
        if (request.keys.length || cell) {
          if (wanted?.id !== needed) {
            wanted = { id: needed, state, stage, request };
            ask();
          }
          return null;
        }
        wanted = null;
        answer = { id: needed, values: {}, working: null, shifted: [] };
      }
      const kept = stage.weights.map(({ key }) => [key, weights.get(weightId(state, key))]);
      return { values: { ...Object.fromEntries(kept), ...answer.values }, working: answer.working, shifted: answer.shifted };
    },
  };
}
