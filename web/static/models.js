/** The shipped files in ONNX Runtime Web: loaded on first use, run one at a time. */

import { InputError } from "./errors.js";

// One queue for the whole page: all sessions share the memory of one WebAssembly module, and a run
// that starts during another finds its arguments overwritten.
let busy = Promise.resolve();

/**
 * @param {object} given `descriptions`: by model id, the content of `view.model` and the axes of the
 *   trace; `files`: URL of the files; `loadRuntime`: resolves to the module of onnxruntime-web
 */
export function createModels({ descriptions, files, loadRuntime }) {
  const sessions = new Map();

  function describe(id) {
    if (Object.hasOwn(descriptions, id)) return descriptions[id];
    const choices = Object.keys(descriptions).join(", ");
    throw new InputError("choice", { name: "model", choices, value: `'${id}'` });
  }

  function session(id) {
    if (!sessions.has(id)) {
      const loading = load(id);
      sessions.set(id, loading);
      loading.catch(() => sessions.delete(id)); // the next call retries
    }
    return sessions.get(id);
  }

  async function load(id) {
    const ort = await loadRuntime();
    const answer = await fetch(`${files}/mini_gpt_${id}_trace.onnx`);
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    const content = new Uint8Array(await answer.arrayBuffer());
    return { ort, session: await ort.InferenceSession.create(content) };
  }

  async function runAlone(id, window) {
    const { ort, session: network } = await session(id);
    const ids = BigInt64Array.from(window, BigInt);
    const results = await network.run({ token_ids: new ort.Tensor("int64", ids, [1, ids.length]) });
    const { axes } = describe(id);
    return Object.fromEntries(
      Object.keys(axes).map((name) => [name, lists(results[name], axes[name])]),
    );
  }

  return {
    describe,
    /** The trace of `window` (1 to context_length ids): nested lists without the batch axis. */
    run(id, window) {
      const mine = busy.then(() => runAlone(id, window));
      busy = mine.catch(() => undefined); // the next run waits for this one, even if it fails
      return mine;
    },
  };
}

/** A tensor as nested lists, without the batch axis; minus infinity becomes null. */
export function lists({ data, dims }, axes) {
  const sizes = axes[0] === "B" ? dims.slice(1) : dims;
  let at = 0;
  const level = (depth) => {
    if (depth < sizes.length) return Array.from({ length: sizes[depth] }, () => level(depth + 1));
    const value = data[at++];
    return Number.isFinite(value) ? value : null;
  };
  return level(0);
}
