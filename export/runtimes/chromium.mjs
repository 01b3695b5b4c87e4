// The page's side of chromium.py: arrays are passed in and out as [type, shape, base64].

const ELEMENTS = { int64: BigInt64Array, float32: Float32Array };
const PIECE = 0x8000; // arguments that one call accepts

function decoded(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function encoded(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(text);
}

let ort = null;
let session = null;

window.miniGpt = {
  // provider: "wasm" or "webgpu"; each has its own build of the library.
  async load(file, provider) {
    ort = await import(`/node_modules/onnxruntime-web/dist/ort.${provider}.min.mjs`);
    ort.env.wasm.numThreads = 1; // more would need cross-origin isolation headers
    const options = { executionProviders: [provider] };
    session = await ort.InferenceSession.create(decoded(file), options);
  },

  async run(feeds) {
    const tensors = {};
    for (const [name, [type, shape, content]] of Object.entries(feeds)) {
      tensors[name] = new ort.Tensor(type, new ELEMENTS[type](decoded(content).buffer), shape);
    }
    const start = performance.now();
    const results = await session.run(tensors);
    const seconds = (performance.now() - start) / 1000;
    const given = {};
    for (const [name, { type, dims, data }] of Object.entries(results)) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      given[name] = [type, [...dims], encoded(bytes)];
    }
    return { seconds, given };
  },
};
