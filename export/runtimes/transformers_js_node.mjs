// node transformers_js_node.mjs FOLDER: one JSON question a line, one answer a line. The working
// directory holds node_modules.

import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { answering } from "./transformers_js.mjs";

const say = process.stdout.write.bind(process.stdout);
// What a package prints must not be read as an answer.
Object.defineProperty(process, "stdout", { get: () => process.stderr });
process.env.ORT_DISABLE_TELEMETRY = "1";
const folder = process.argv[2];
const here = createRequire(path.join(process.cwd(), "package.json"));
const found = here.resolve("@huggingface/transformers").replace(/\.cjs$/, ".mjs");
const library = await import(pathToFileURL(found));
library.env.allowRemoteModels = false;
library.env.localModelPath = `${path.dirname(folder)}/`;

let answer = null;
for await (const line of createInterface({ input: process.stdin })) {
  try {
    answer ??= await answering(library, path.basename(folder));
    say(`${JSON.stringify({ given: await answer(JSON.parse(line)) })}\n`);
  } catch (error) {
    say(`${JSON.stringify({ error: String(error).split("\n")[0].slice(0, 300) })}\n`);
  }
}
process.exit(0);
