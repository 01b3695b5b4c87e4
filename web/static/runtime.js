/** onnxruntime-web from the folder beside the page, loaded when a number is first needed. */

export function createRuntimeLoader(folder) {
  let loading = null;
  return () => (loading ??= load(folder));
}

async function load(folder) {
  const ort = await import(`${folder}/ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = 1; // more would need two special headers from whoever serves this
  ort.env.wasm.wasmPaths = `${folder}/`;
  return ort;
}
