/** How the next word is sampled, and all possible continuations. */

import { createDraw } from "./sampling/draw.js";
import { el } from "../dom.js";
import { createContinuations } from "./sampling/continuations.js";

export function mount(container, app) {
  const draw = el("section");
  const tree = el("section");
  container.append(draw, tree);
  const parts = [createDraw(draw, app), createContinuations(tree, app)];
  return {
    update(state, view) {
      for (const part of parts) part.update(state, view);
    },
  };
}
