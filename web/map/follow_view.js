/** Dims what does not feed the word that is pointed at or pinned. */

import { feedingPositions } from "./follow.js";

export function createFollow({ views, backdrop }, board) {
  let pinned = null;
  let pointed = null;

  function show(view) {
    const position = pointed ?? pinned;
    const feeding =
      position === null || position >= board.sequence
        ? null
        : feedingPositions(view.trace, board.config.num_layers, position);
    const isFed = (key, at) => !feeding || !feeding.has(key) || feeding.get(key).has(Number(at));
    for (const { stage, rows } of views) {
      for (const row of rows) {
        row.setDim(!isFed(stage.key, row.position));
      }
    }
    for (const part of backdrop.element.querySelectorAll("[data-carries]")) {
      part.classList.toggle("mg-map-dim", !isFed(part.dataset.carries, part.dataset.position));
    }
    for (const link of backdrop.links.children) {
      const key = `blocks.${link.dataset.block}.attention_probs`;
      link.classList.toggle("mg-map-dim", !isFed(key, link.dataset.to));
    }
  }

  return {
    pinned: () => pinned,
    refresh(view) {
      if (pinned !== null || pointed !== null) show(view);
    },
    point(position, view) {
      if (pointed === position) return;
      pointed = position;
      show(view);
    },
    pin(position, view) {
      pinned = pinned === position ? null : position;
      show(view);
    },
  };
}
