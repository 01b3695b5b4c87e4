// node llama_cpp.mjs FILE CONTEXT: llama.cpp on a GGUF file, for llama_cpp.py. A question is {rows}
// or {rows, continue: true}: probabilities of the next word at every position, or the rows
// continued to the context's end.

import { pathToFileURL } from "node:url";

import { answering, packageFile } from "./json_lines.mjs";

const [file, contextLength] = [process.argv[2], Number(process.argv[3])];

async function opened() {
  const { getLlama } = await import(pathToFileURL(packageFile("node-llama-cpp")));
  const how = { build: "never", gpu: false, skipDownload: true, logLevel: "error" };
  const model = await (await getLlama(how)).loadModel({ modelPath: file });
  // Its cache of keys and values is float16 unless told. Room for more than the context: a full one
  // would drop the first words without a word; so it aborts.
  const context = await model.createContext({
    contextSize: 2 * contextLength + 1,
    threads: 1,
    flashAttention: false,
    experimentalKvCacheKeyType: "F32",
    experimentalKvCacheValueType: "F32",
  });
  return context.getSequence();
}

async function probabilities(sequence, row) {
  await sequence.clearHistory();
  const asked = row.map((id) => [id, { generateNext: { probabilities: true } }]);
  const given = await sequence.controlledEvaluate(asked);
  return given.map(({ next }) => {
    const ordered = new Array(next.probabilities.size);
    for (const [id, probability] of next.probabilities) ordered[id] = probability;
    return ordered;
  });
}

async function continued(sequence, row) {
  await sequence.clearHistory();
  const whole = [...row];
  if (whole.length >= contextLength) return whole;
  for await (const id of sequence.evaluate(row, { temperature: 0, yieldEogToken: true })) {
    whole.push(id);
    if (whole.length >= contextLength) break;
  }
  return whole;
}

await answering(async () => {
  const sequence = await opened();
  return async (question) => {
    const answer = question.continue ? continued : probabilities;
    const rows = [];
    for (const row of question.rows) rows.push(await answer(sequence, row));
    return rows;
  };
});
