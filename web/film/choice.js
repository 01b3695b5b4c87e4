/** The last scene: the most probable word flies into the sentence. */

import { wordColour } from "../colours.js";
import { el } from "../dom.js";

const NEXT = ".mg-next-chip"; // where the sentence goes on

/** Nothing flies where the answer, or the place in the sentence, is out of sight or hidden. */
export function flyToSentence({ parts, view, outside }, scene, beat, move) {
  const from = parts.answer.element.querySelector(".mg-largest .mg-bar-word");
  const page = parts.plane.closest(".mini-gpt");
  const to = page?.querySelector(NEXT);
  if (!from || !to || Number.isNaN(scene.shown.value)) return;
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const id = scene.shown.cell.at(-1);
  const element = el(
    "div",
    {
      class: "mg-film-winner",
      style: { left: `${start.left}px`, top: `${start.top}px`, "--hue": wordColour(id) },
    },
    view.model.words[id],
  );
  outside.append(element);
  const [x, y] = [end.left + end.width / 2 - start.left - start.width / 2, end.top - start.top];
  move(element, [
    { transform: "none", opacity: 0 },
    { transform: "scale(1.25)", opacity: 1, offset: 0.2 },
    { transform: `translate(${x}px, ${y}px) scale(1.1)`, opacity: 1, offset: 0.85 },
    { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 0 },
  ], beat);
}
