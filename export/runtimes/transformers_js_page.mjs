// The page's side of transformers_js_chromium.py. The folder is on the page's own server.

import * as library from "/node_modules/@huggingface/transformers/dist/transformers.min.js";
import { generating } from "/transformers_js.mjs";

library.env.allowLocalModels = true;
library.env.allowRemoteModels = false;
let answer = null;

window.miniGpt = {
  // device: null for the library's own choice.
  async load(name, device) {
    answer = await generating(library, name, device ? { device } : {});
  },
  ask: (question) => answer(question),
};
