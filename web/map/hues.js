/**
 * The hue of each position's word, on everything that is drawn in it. A property of their own
 * each: one on the root costs a new style of every element below it.
 */

import { wordColour } from "../colours.js";
import { setStyle } from "../dom.js";

/** @param {HTMLElement} frame what the map is drawn in */
export function createHues(frame) {
  const hues = [];
  return {
    /** What was drawn is gone. */
    forget: () => (hues.length = 0),
    /** @param {number[]} window word ids */
    paint(window) {
      window.forEach((id, position) => {
        if (hues[position] === id) return;
        hues[position] = id;
        for (const part of frame.querySelectorAll(`[data-hue="${position}"]`)) {
          setStyle(part, "--hue", wordColour(id));
        }
      });
    },
  };
}
