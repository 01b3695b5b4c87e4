// node worker.mjs PACKAGE: an ONNX Runtime from npm that answers as worker.py does, with the
// messages of export/workers/wire.py on standard input and output.
// Run it with the folder that holds node_modules as the working directory.

import { readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ELEMENT_TYPES = {
  int64: BigInt64Array,
  float32: Float32Array,
  bool: Uint8Array,
};

const packageName = process.argv[2];
// A package's output, through console too, must not be read as an answer.
Object.defineProperty(process, "stdout", { get: () => process.stderr });
process.env.ORT_DISABLE_TELEMETRY = "1"; // read at load time
const here = createRequire(path.join(process.cwd(), "package.json"));
const entry = packageName === "onnxruntime-web" ? "onnxruntime-web/wasm" : packageName;
const imported = await import(pathToFileURL(here.resolve(entry)));
const ort = imported.InferenceSession ? imported : imported.default;
if (packageName === "onnxruntime-web") ort.env.wasm.numThreads = 1;

function exactly(size) {
  const content = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    let count;
    try {
      count = readSync(0, content, filled, size - filled, null);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      throw error;
    }
    if (count === 0) return null;
    filled += count;
  }
  return content;
}

function readMessage() {
  const length = exactly(4);
  if (length === null) return null;
  const head = JSON.parse(exactly(length.readUInt32LE(0)).toString("utf8"));
  const arrays = {};
  for (const [name, type, shape] of head.arrays) {
    const Elements = ELEMENT_TYPES[type];
    const size = shape.reduce((product, axis) => product * axis, 1);
    const bytes = exactly(size * Elements.BYTES_PER_ELEMENT);
    const copy = new Uint8Array(bytes).buffer; // a separate buffer, aligned
    arrays[name] = new ort.Tensor(type, new Elements(copy), shape);
  }
  return { head, arrays };
}

function writeAll(buffer) {
  let written = 0;
  while (written < buffer.length) {
    try {
      written += writeSync(1, buffer, written);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function writeMessage(head, results) {
  const arrays = Object.entries(results).map(([name, t]) => [name, t.type, [...t.dims]]);
  const text = Buffer.from(JSON.stringify({ ...head, arrays }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  writeAll(Buffer.concat([length, text]));
  for (const { data } of Object.values(results)) {
    writeAll(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }
}

const seconds = (start) => (performance.now() - start) / 1000;
let session = null;

async function answer({ head, arrays }) {
  if (head.do === "load") {
    const start = performance.now();
    session = await ort.InferenceSession.create(new Uint8Array(readFileSync(head.file)));
    const manifest = path.join(process.cwd(), "node_modules", packageName, "package.json");
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    return [{ seconds: seconds(start), version }, {}];
  }
  const times = [];
  let results = {};
  const begun = performance.now();
  while (times.length < head.repeat && (times.length === 0 || seconds(begun) < head.within)) {
    const start = performance.now();
    results = await session.run(arrays);
    times.push(seconds(start));
  }
  times.sort((a, b) => a - b);
  return [{ seconds: times[times.length >> 1] }, results];
}

for (let message = readMessage(); message !== null; message = readMessage()) {
  let reply;
  try {
    reply = await answer(message);
  } catch (error) {
    reply = [{ error: String(error).split("\n")[0].slice(0, 300) }, {}];
  }
  writeMessage(...reply);
}
process.exit(0);
