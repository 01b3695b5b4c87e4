import { wordColour } from "../../colours.js";
import { el } from "../../dom.js";

/** Words as small chips, separated by spaces for screen readers and for copying. */
export function miniChips(ids, words) {
  return ids.map((id, at) => [
    at > 0 && " ",
    el("span", { class: "mg-mini-chip", style: { "--hue": wordColour(id) } }, words[id]),
  ]);
}
