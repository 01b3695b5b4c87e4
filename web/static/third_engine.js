/** A third engine, in the browser, with the same shipped files as the two on the server. */

import { createModels } from "./models.js";
import { createRuntimeLoader } from "./runtime.js";
import { createBrowserServer } from "./server.js";

const LOCAL = ["view", "step", "differences"];

/**
 * The server's functions; those in LOCAL run here while the engine "browser" is chosen. What only the
 * server can compute (workings, comparisons…) is answered by its ONNX Runtime.
 *
 * @param {Record<string, Function>} functions the functions that Gradio provides
 * @param {object} page `initial.browser`: from ui/static_page/served.py, null without one
 */
export function withBrowserEngine(functions, { initial, root }) {
  if (!initial.browser) return functions;
  const { name, address, descriptions } = initial.browser;
  const folder = new URL(`${root}/${address}`, window.location.href).href;
  const models = createModels({
    descriptions,
    files: `${folder}/files`,
    loadRuntime: createRuntimeLoader(`${folder}/ort`),
  });
  const { strings, limits } = initial;
  const expected = (model, window) => askPyTorch(functions, model, window);
  const local = createBrowserServer({ models, strings, limits, expected });
  const answer = (called) => (request) => {
    if (request.engine !== name) return functions[called](request);
    if (LOCAL.includes(called)) return local[called](request);
    return functions[called]({ ...request, engine: "onnxruntime" });
  };
  return Object.fromEntries(Object.keys(functions).map((called) => [called, answer(called)]));
}

/** The result of PyTorch on the server for the same words. */
async function askPyTorch(functions, model, window) {
  const answer = await functions.view({ tokens: window, model, engine: "torch" });
  if (answer?.trace) return { state: "ready", values: answer.trace };
  return { state: answer?.error?.code === "torch_loading" ? "loading" : "missing" };
}
