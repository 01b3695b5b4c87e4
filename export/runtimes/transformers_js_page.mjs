// The page's side of transformers_js_chromium.py. The folder is on the page's own server.

import * as library from "/node_modules/@huggingface/transformers/dist/transformers.min.js";
import { generating } from "/transformers_js.mjs";

library.env.allowLocalModels = true;
library.env.allowRemoteModels = false;
let answer = null;

window.miniGpt = {
  async load(name) {
    answer = await generating(library, name);
  },
  ask: (question) => answer(question),
};
