// node transformers_js_node.mjs FOLDER: transformers.js on a folder, for transformers_js.py.

import path from "node:path";
import { pathToFileURL } from "node:url";

import { answering, packageFile } from "./json_lines.mjs";
import { generating } from "./transformers_js.mjs";

process.env.ORT_DISABLE_TELEMETRY = "1";
const folder = process.argv[2];

await answering(async () => {
  const found = packageFile("@huggingface/transformers").replace(/\.cjs$/, ".mjs");
  const library = await import(pathToFileURL(found));
  library.env.allowRemoteModels = false;
  library.env.localModelPath = `${path.dirname(folder)}/`;
  return generating(library, path.basename(folder));
});
