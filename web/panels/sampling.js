/** How the next word is sampled, and all possible continuations. */

import { createDraw } from "./sampling/draw.js";
import { el } from "../dom.js";
import { createContinuations } from "./sampling/continuations.js";
import { createOpening } from "./sampling/opening.js";

export function mount(container, app) {
  const draw = el("section");
  const tree = el("section");
  container.append(draw, tree);
  const opening = createOpening();
  let latest = null;
  const choose = (sampling) => {
    opening.choose();
    app.store.set({ sampling });
    update({ ...latest.state, sampling }, latest.view); // the settings may be what they were
  };
  const parts = [createDraw(draw, app, choose), createContinuations(tree, app)];

  function update(state, view) {
    latest = { state, view };
    const sampling = opening.shown(state.sampling);
    for (const part of parts) part.update({ ...state, sampling }, view, state.sampling);
  }

  return { update };
}
