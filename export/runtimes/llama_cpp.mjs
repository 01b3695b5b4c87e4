// node llama_cpp.mjs FILE CONTEXT: llama.cpp on a GGUF file, for llama_cpp.py. The working
// directory holds node_modules. A question is {rows} or {rows, continue: true}, one a line:
// probabilities of the next word at every position, or the rows continued to the context's end.

import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [file, contextLength] = [process.argv[2], Number(process.argv[3])];
const here = createRequire(path.join(process.cwd(), "package.json"));
const { getLlama } = await import(pathToFileURL(here.resolve("node-llama-cpp")));

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const llama = await getLlama({ build: "never", gpu: false, skipDownload: true, logLevel: "error" });
const model = await llama.loadModel({ modelPath: file });
// Its cache of keys and values is float16 unless told. Room for more than the context: a full one
// would drop the first words without a word; so it aborts.
const context = await model.createContext({
  contextSize: 2 * contextLength + 1,
  threads: 1,
  flashAttention: false,
  experimentalKvCacheKeyType: "F32",
  experimentalKvCacheValueType: "F32",
});
const sequence = context.getSequence();

async function probabilities(row) {
  await sequence.clearHistory();
  const asked = row.map((id) => [id, { generateNext: { probabilities: true } }]);
  const given = await sequence.controlledEvaluate(asked);
  return given.map(({ next }) => {
    const ordered = new Array(next.probabilities.size);
    for (const [id, probability] of next.probabilities) ordered[id] = probability;
    return ordered;
  });
}

async function continued(row) {
  await sequence.clearHistory();
  const whole = [...row];
  if (whole.length >= contextLength) return whole;
  for await (const id of sequence.evaluate(row, { temperature: 0, yieldEogToken: true })) {
    whole.push(id);
    if (whole.length >= contextLength) break;
  }
  return whole;
}

say({ rows: [] });
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const answer = question.continue ? continued : probabilities;
  try {
    const rows = [];
    for (const row of question.rows) rows.push(await answer(row));
    say({ rows });
  } catch (error) {
    say({ error: String(error).split("\n")[0] });
  }
}
process.exit(0);
