/** Closes what lies over the page when a person clicks elsewhere or presses Escape in it. */

import { listenForKeys } from "./composing.js";

/**
 * @param {HTMLElement[]} parts what belongs to it: clicks in them leave it open
 * @param {() => boolean} isOpen
 * @param {() => void} close called on a click elsewhere
 * @param {() => void} onEscape called on Escape; closes it and gives the focus back
 */
export function closeElsewhere(parts, isOpen, close, onEscape) {
  document.addEventListener("pointerdown", ({ target }) => {
    if (isOpen() && !parts.some((part) => part.contains(target))) close();
  });
  for (const part of parts) {
    listenForKeys(part, (event) => {
      if (event.key !== "Escape" || !isOpen()) return;
      event.preventDefault();
      onEscape();
    });
  }
}
