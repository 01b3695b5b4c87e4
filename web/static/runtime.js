/** onnxruntime-web from the folder beside the page, loaded on first use. */

export function createRuntimeLoader(folder) {
  let loading = null;
  return () => (loading ??= load(folder));
}

async function load(folder) {
  const ort = await import(`${folder}/ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = 1; // more threads need cross-origin isolation: two HTTP headers from the web server
  ort.env.wasm.wasmPaths = `${folder}/`;
  return ort;
}
