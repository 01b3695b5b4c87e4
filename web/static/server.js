/**
 * The server's functions (ui/views.py), implemented in the browser.
 *
 * Each resolves to the same result as the server's, errors included, so the page needs no special case.
 */

import { DEFAULT_STATE } from "../state.js";
import { InputError } from "./errors.js";
import { nextWord } from "./sampling.js";
import { createVocabulary, listed } from "./vocabulary.js";

/**
 * @param {object} given `models`: from models.js; `strings`, `limits`: the page's;
 *   `expected(model, window)`: resolves to `{state: "ready", values}` with PyTorch's values by
 *   name, or to another `state` without values
 */
export function createBrowserServer({ models, strings, limits, expected }) {
  async function view({ tokens = [], model = "teaching", engine, edits = {}, switches = {} }) {
    const described = models.describe(model);
    checkTokens(tokens, described.words);
    if (Object.keys(edits).length || Object.keys(switches).length) {
      throw new InputError("browser_changes");
    }
    const start = Math.max(0, tokens.length - described.config.context_length);
    const window = tokens.slice(start);
    const trace = window.length ? await models.run(model, window) : null;
    const { id, words, unit, config } = described;
    return {
      model: { id, words, unit, config },
      engine,
      tokens,
      window,
      window_start: start,
      trace,
      logits: trace?.logits.at(-1) ?? null,
      probabilities: trace?.vocabulary_probs.at(-1) ?? null,
      baseline: null,
    };
  }

  async function step(request) {
    const { tokens, sampling, seed = 0, index = 0 } = request;
    const now = await view(request);
    if (!tokens.length) throw new InputError("empty_prompt", { words: listed(now.model.words) });
    checkLength(tokens.length + 1);
    const next = nextWord(now.logits, sampling ?? {}, seed, index);
    return { next_id: next, view: await view({ ...request, tokens: [...tokens, next] }) };
  }

  async function read({ text, model = "teaching" }) {
    const length = [...text].length;
    if (length > limits.text) throw new InputError("text_length", { length, limit: limits.text });
    const tokens = createVocabulary(models.describe(model)).encode(text);
    checkLength(tokens.length);
    return { tokens };
  }

  async function differences({ tokens = [], model = "teaching" }) {
    const now = await view({ tokens, model });
    const given = now.trace ? await expected(model, now.window) : { state: "ready" };
    if (!given.values) return { state: given.state, values: [], largest: null };
    const values = Object.keys(given.values).map((name) =>
      difference(name, given.values[name], now.trace[name]),
    );
    const largest = values.reduce((most, value) => (value.max_abs > most.max_abs ? value : most));
    return { state: "ready", values, largest };
  }

  function checkTokens(tokens, words) {
    if (!Array.isArray(tokens) || !tokens.every(Number.isInteger)) {
      throw new InputError("ids_dtype", { dtype: typeof tokens });
    }
    checkLength(tokens.length);
    const wrong = tokens.find((token) => token < 0 || token >= words.length);
    if (wrong !== undefined) {
      throw new InputError("ids_range", { value: wrong, last: words.length - 1 });
    }
  }

  function checkLength(length) {
    const limit = limits.tokens;
    if (length > limit) throw new InputError("token_limit", { length, limit });
  }

  /** Bad input becomes an answer, as on the server. */
  const answered = (call) => async (request) => {
    try {
      return await call(request);
    } catch (error) {
      if (error instanceof InputError) {
        return { error: { code: error.code, text: error.text(strings, request.lang ?? DEFAULT_STATE.lang) } };
      }
      window.reportError(error);
      return undefined; // a file could not be fetched: the page retries by itself
    }
  };

  return Object.fromEntries(
    Object.entries({ view, step, read, differences }).map(([name, call]) => [name, answered(call)]),
  );
}

/** One value of the trace against PyTorch's; a masked score is null on both sides. */
export function difference(name, expected, actual) {
  const left = expected.flat(Infinity);
  const right = actual.flat(Infinity);
  const pairs = left.map((value, at) => [value, right[at]]);
  const distances = pairs.map(([a, b]) => (a === b ? 0 : Math.abs(a - b)));
  const relative = pairs.map(([a], at) => (a ? distances[at] / Math.abs(a) : 0));
  const same = left.length === right.length && pairs.every(([a, b]) => (a === null) === (b === null));
  return {
    name,
    max_abs: same ? Math.max(...distances) : Infinity,
    max_rel: same ? Math.max(...relative) : Infinity,
    differing: distances.filter((distance) => distance > 0).length,
    ok: same && Math.max(...distances) <= BOUND,
  };
}

const BOUND = 5e-6; // export/compare.py
