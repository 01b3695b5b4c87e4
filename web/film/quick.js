/**
 * One prediction in half a second, over a page that already has its final values: a wave along the
 * road, the links, the bars. It animates what is there, so the document does not change.
 */

import { LENGTH, startsOf } from "./timeline.js";

const WHOLE = 500; // ms
const AFTER = 100; // ms in which the working area, whose answer comes after the view's, has its values too
const PULSE = 130;
const FAINT = 0.3;
const DROP = 16; // px
const MOST_LINKS = 40;

export function createQuick() {
  let waiting = null; // {frame, timer}
  let running = [];

  function cut() {
    if (waiting) cancelAnimationFrame(waiting.frame);
    clearTimeout(waiting?.timer);
    waiting = null;
    for (const animation of running) animation.cancel();
    running = [];
  }

  return {
    cut,
    /** Show it on the board of `parts`, once it is painted and the page is at rest. */
    play(parts) {
      cut();
      const own = {};
      waiting = own;
      own.frame = requestAnimationFrame(() => {
        own.timer = setTimeout(() => {
          running = start(parts);
          if (running.length) running.at(-1).onfinish = () => (running = []); // nothing to cut any more
        }, AFTER);
      });
    },
  };
}

function start({ board, views, backdrop, words, answer }) {
  if (!answer.element.animate) return [];
  const scenes = startsOf(board.config, board.sequence);
  const squeeze = (WHOLE - PULSE) / Math.max(LENGTH, scenes.at(-1).start);
  const delays = new Map(scenes.map(({ key, start: at }) => [key, at * squeeze]));
  const running = [];
  const move = (element, keyframes, delay) =>
    running.push(element.animate(keyframes, { delay, duration: PULSE, easing: "ease-out" }));
  const pulse = [{ opacity: FAINT }, { opacity: 1 }];
  const last = words.at(-1);
  if (last) move(last, [{ transform: `translateY(${-DROP}px)` }, { transform: "none" }], 0);
  for (const { stage, element } of views) {
    const cells = element.querySelector(".mg-map-cells");
    if (cells) move(cells, pulse, delays.get(stage.key));
  }
  for (const link of strongest(backdrop.links.children)) {
    move(link, pulse, delays.get(`blocks.${link.dataset.block}.head_outputs`));
  }
  for (const bar of answer.element.querySelectorAll(".mg-bar")) {
    const grown = [{ transform: "scaleX(0)", transformOrigin: "left" }, { transform: "none", transformOrigin: "left" }];
    move(bar, grown, delays.get("vocabulary_probs"));
  }
  return running;
}

function strongest(links) {
  return [...links]
    .filter(({ style }) => style.display !== "none")
    .sort((one, other) => other.dataset.probability - one.dataset.probability)
    .slice(0, MOST_LINKS);
}
