// Run every prompt of expected.json in ONNX Runtime for Node:
// npm install onnxruntime-node, then node examples/run.mjs
// (ONNXRUNTIME_NODE_INSTALL=skip before npm: no GPU build is downloaded.)

import { readFile } from "node:fs/promises";

process.env.ORT_DISABLE_TELEMETRY = "1"; // read at load time: no telemetry
const { default: ort } = await import("onnxruntime-node");

const file = (name) => new URL(`../${name}`, import.meta.url);
const expected = JSON.parse(await readFile(file("expected.json"), "utf8"));
const model = await readFile(file("mini_gpt_teaching_trace.onnx"));
const session = await ort.InferenceSession.create(new Uint8Array(model));

let largest = 0;
for (const prompt of expected.prompts) {
  const ids = BigInt64Array.from(prompt.token_ids, BigInt);
  const feeds = { token_ids: new ort.Tensor("int64", ids, [1, ids.length]) };
  const values = await session.run(feeds);
  for (const [name, shouldBe] of Object.entries(prompt.values)) {
    const wanted = shouldBe.flat(Infinity); // null: a masked score, minus infinity
    values[name].data.forEach((actual, index) => {
      const difference = wanted[index] === null ? (actual === -Infinity ? 0 : NaN)
        : Math.abs(actual - wanted[index]);
      if (!(difference <= expected.bound)) throw new Error(`${name} differs by ${difference}`);
      largest = Math.max(largest, difference);
    });
  }
}
console.log(`${expected.prompts.length} prompts, every value, ` +
  `largest difference ${largest.toExponential(1)}`);
