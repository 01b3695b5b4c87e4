/** Keeps what a scene shows in view, where the map is larger than the window. */

/**
 * @param {object} parts of the drawn board
 * @param {object} scene of the timeline
 * @param {Element} bar stands at the bottom and covers what is there
 * @param {boolean} isSmooth while the film runs
 */
export function bringIntoView({ views, answer }, scene, bar, isSmooth) {
  const element = elementOf(scene, views, answer);
  if (!element) return;
  const box = element.getBoundingClientRect();
  const ceiling = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0; // see scroll_room.js
  const floor = Math.min(window.innerHeight, bar.getBoundingClientRect().top || window.innerHeight);
  const isSeen = box.top >= ceiling && box.bottom <= floor && box.left >= 0 && box.right <= window.innerWidth;
  if (isSeen) return;
  element.scrollIntoView({ block: "center", inline: "center", behavior: isSmooth ? "smooth" : "auto" });
}

/** The last word's bars end the film; their columns stand beside them. */
function elementOf({ key }, views, answer) {
  const view = views.find(({ stage }) => stage.key === key);
  if (!view || key === "vocabulary_probs") return answer.element;
  return view.element.querySelector(".mg-map-cells") ?? view.heading;
}
