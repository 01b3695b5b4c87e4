/** Keys of the working area: n and p everywhere, arrows where nothing else uses them. */

import { listenForKeys } from "../composing.js";

const FORWARD = { n: 1, N: 1, p: -1, P: -1 };
const ARROWS = { ArrowRight: 1, ArrowLeft: -1 };
const TYPING = "input, select, textarea, [contenteditable]";
const USES_ARROWS = `${TYPING}, [role="tablist"], [role="radiogroup"], [role="slider"], .mg-map`;

/** @param {(direction: 1|-1) => void} onStep */
export function listenToKeys(area, onStep) {
  listenForKeys(document, (event) => {
    if (!area.isConnected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target instanceof Element ? event.target : document.body;
    const letter = at.closest(TYPING) ? undefined : FORWARD[event.key];
    const isFree = at === document.body || area.contains(at);
    const arrow = isFree && !at.closest(USES_ARROWS) ? ARROWS[event.key] : undefined;
    const direction = letter ?? arrow;
    if (!direction) return;
    event.preventDefault();
    onStep(direction);
  });
}
