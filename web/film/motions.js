/**
 * What moves in a scene: few elements over the board, with their animations at rest; the film sets
 * their time. Everything is taken away when the scene ends.
 */

import { svg } from "../dom.js";
import { wordColour } from "../colours.js";
import { valueAt } from "../map/stages.js";
import { boxIn, copyOf, middleOf, placed } from "./copies.js";
import { flyToSentence } from "./choice.js";
import { createWires, distance } from "./wires.js";

const DROP = 34; // px that words, and the mask, fall
const MOST_LINKS = 40; // drawn as they grow, the strongest; the others appear at once
const PLOT = { w: 132, h: 92 };
const EDGE = 4; // px around what a ring surrounds

/**
 * @param {object} parts of the drawn board
 * @param {object} view the page's view: trace, window, words
 * @param {{layer: HTMLElement, outside: HTMLElement}} layers over the board, and over the whole page
 * @returns {(scene: object) => Animation[]} puts the scene's elements into the layer; its animations
 *   are paused, and their time is the scene's
 */
export function createMotions(parts, view, { layer, outside }) {
  const stages = new Map(parts.views.map((one) => [one.stage.key, one]));
  const film = { parts, view, layer, outside, stages, wires: createWires(parts.board) };
  return (scene) => {
    const animations = [];
    const move = (element, keyframes, { at, until }, easing = "ease-in-out") => {
      const [duration, endDelay] = [Math.max(until - at, 1), Math.max(scene.duration - until, 0)]; // all end together
      const animation = element.animate(keyframes, { delay: at, duration, endDelay, easing, fill: "both" });
      animation.pause();
      animations.push(animation);
    };
    for (const beat of scene.beats) (KINDS[scene.name] ?? travel)(film, scene, beat, move);
    return animations;
  };
}

/** By the name of the value; what is not here travels. */
const KINDS = {
  token_embeddings: dropWords,
  position_embeddings: () => undefined,
  residual_0: merge,
  scores: lightUp,
  masked_scores: mask,
  attention_probs: fillIn,
  head_outputs: carryValues,
  residual_after_attention: merge,
  ffn_activation: bend,
  residual_after_ffn: merge,
  vocabulary_probs: growBars,
  next_id: flyToSentence,
};

/** Copies of the operands go to where the result appears, along their wires. */
function travel({ stages, view, layer, wires }, scene, beat, move, operands = beat.operands) {
  const target = boxIn(stages.get(scene.key), beat.parts);
  if (!target) return;
  for (const { key, parts } of operands) {
    const copy = copyOf(stages.get(key), parts, view.trace);
    if (!copy) continue;
    layer.append(copy.element);
    move(copy.element, flight(copy.box, target, wires.between(key, parts, copy.box, target)), beat);
  }
}

/** Keyframes from one box to another, along `points`; the copy takes the other's size on the way. */
function flight(from, to, points) {
  const start = middleOf(from);
  const way = [start, ...points, middleOf(to)];
  const [wide, high] = [to.w / from.w, to.h / from.h];
  const lengths = way.map((point, step) => (step ? distance(way[step - 1], point) : 0));
  const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
  let gone = 0;
  return way.map(({ x, y }, step) => {
    gone += lengths[step];
    const isLast = step === way.length - 1;
    const share = isLast ? 1 : Math.min(gone / whole, 1);
    const scale = `scale(${1 + (wide - 1) * share}, ${1 + (high - 1) * share})`;
    return { offset: share, transform: `translate(${x - start.x}px, ${y - start.y}px) ${scale}`, opacity: isLast ? 0 : 1 - 0.25 * share };
  });
}

/** The words fall onto the road and become their vectors. */
function dropWords({ parts, stages, view, layer }, scene, beat, move) {
  for (const [position] of beat.parts) {
    const word = parts.board.words.find((one) => one.position === position && one.first);
    const target = boxIn(stages.get(scene.key), [[position]]);
    if (!word || !target) continue;
    const id = view.window[position];
    const element = placed("mg-film-word", word, view.model.words[id]);
    element.style.setProperty("--hue", wordColour(id));
    layer.append(element);
    const [from, to] = [middleOf(word), middleOf(target)];
    move(element, [
      { transform: `translateY(${-DROP}px)`, opacity: 0 },
      { transform: "none", opacity: 1, offset: 0.45, easing: "ease-in" },
      { transform: `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(0.6)`, opacity: 0 },
    ], beat, "ease-out");
  }
}

/** The operands meet at the plus sign. */
function merge(film, scene, beat, move) {
  travel(film, scene, beat, move);
  const { board } = film.parts;
  const added = beat.operands.map(({ key }) => key);
  const positions = new Set(beat.parts.map(([position]) => position));
  for (const { x, y, r, position, adds } of board.pluses) {
    if (!added.includes(adds) || !positions.has(position)) continue;
    const ring = placed("mg-film-pulse", { x: x - r, y: y - r, w: 2 * r, h: 2 * r });
    film.layer.append(ring);
    move(ring, [{ transform: "scale(1)", opacity: 0 }, { transform: "scale(1.2)", opacity: 1 }, { transform: "scale(2.4)", opacity: 0 }], beat);
  }
}

/** A pair's two vectors, and the score they give. */
function lightUp({ stages, layer }, scene, beat, move) {
  const boxes = [[scene.key, beat.parts], ...beat.operands.map(({ key, parts }) => [key, parts])];
  for (const [key, parts] of boxes) {
    const box = boxIn(stages.get(key), parts);
    if (!box) continue;
    const ring = placed("mg-film-ring", { x: box.x - EDGE, y: box.y - EDGE, w: box.w + 2 * EDGE, h: box.h + 2 * EDGE });
    layer.append(ring);
    move(ring, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], beat, "linear");
  }
}

/** What may be seen is carried over; on the rest falls the mask. */
function mask(film, scene, beat, move) {
  const { stages, view, layer } = film;
  const isMasked = valueAt(view.trace[scene.key], beat.parts[0]) === null;
  if (!isMasked) return travel(film, scene, beat, move);
  for (const part of beat.parts) {
    const box = boxIn(stages.get(scene.key), [part]);
    if (!box) continue;
    const element = placed("mg-film-mask", box);
    layer.append(element);
    move(element, [{ transform: `translateY(${-DROP}px)`, opacity: 0 }, { transform: "none", opacity: 1, offset: 0.7 }, { transform: "none", opacity: 0 }], beat, "ease-in");
  }
}

/** The row's probabilities fill their cells: what covers them gives way. */
function fillIn({ stages, layer }, scene, beat, move) {
  const isRow = scene.kind === "matrix";
  for (const part of beat.parts) {
    const box = boxIn(stages.get(scene.key), [part]);
    if (!box) continue;
    const cover = placed(isRow ? "mg-film-cover" : "mg-film-cover mg-film-down", box);
    layer.append(cover);
    move(cover, [{ transform: "none" }, { transform: isRow ? "scaleX(0)" : "scaleY(0)" }], beat);
  }
}

/** Links grow from V to the output, as wide as their probability. */
function carryValues({ parts, layer }, scene, beat, move) {
  const rows = new Set(beat.parts.map((part) => part.join()));
  const links = [...parts.backdrop.links.children]
    .filter(({ dataset, style }) => Number(dataset.block) === scene.block && rows.has(`${dataset.head},${dataset.to}`) && style.display !== "none")
    .sort((one, other) => other.dataset.probability - one.dataset.probability)
    .slice(0, Math.ceil(MOST_LINKS / scene.beats.length));
  const { width, height } = parts.board;
  const canvas = svg("svg", { class: "mg-film-links", width, height });
  layer.append(canvas);
  for (const link of links) {
    const band = link.querySelector(".mg-map-band");
    const path = svg("path", {
      d: band.getAttribute("d"),
      pathLength: 1,
      "stroke-width": Math.max(Number(band.getAttribute("stroke-width")), 1.25),
      "stroke-opacity": Math.max(Number(link.dataset.probability), 0.2),
      style: { "--hue": link.style.getPropertyValue("--hue") },
    });
    canvas.append(path);
    move(path, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], beat);
  }
  move(canvas, [{ opacity: 1 }, { opacity: 0 }], { at: beat.until, until: beat.until + 1 });
}

/** The hidden units, and each of them as a point (value before, value after): together GELU's curve. */
function bend(film, scene, beat, move) {
  travel(film, scene, beat, move);
  const box = boxIn(film.stages.get(scene.key), beat.parts);
  if (!box) return;
  const key = beat.operands[0].key;
  const pairs = beat.parts.flatMap(([position]) =>
    film.view.trace[key][position].map((before, unit) => ({ position, before, after: film.view.trace[scene.key][position][unit] })),
  );
  const drawn = pairs.filter(({ before, after }) => Number.isFinite(before) && Number.isFinite(after));
  const first = scene.beats[0] === beat;
  if (first) film.plot = createPlot(film, scene, key);
  const points = drawn.map(({ position, before, after }) =>
    svg("circle", { r: 2.2, ...film.plot.at(before, after), style: { "--hue": wordColour(film.view.window[position]) } }),
  );
  const group = svg("g", {}, points);
  film.plot.element.append(group);
  move(group, [{ opacity: 0 }, { opacity: 1 }], beat, "linear");
}

/** A small plot beside the units, with both axes; as wide as the largest hidden value. */
function createPlot({ parts, stages, view, layer }, scene, key) {
  const { board } = parts;
  const { x, y, w, h } = stages.get(scene.key).stage.box;
  const largest = Math.max(1, ...view.trace[key].flat().map(Math.abs).filter(Number.isFinite));
  const left = Math.max(0, Math.min(x + w + 10, board.width - PLOT.w));
  const top = Math.max(0, Math.min(y + h / 2 - PLOT.h / 2, board.height - PLOT.h));
  const at = (before, after) => ({
    cx: PLOT.w * (0.5 + (0.44 * before) / largest),
    cy: PLOT.h * (0.84 - (0.72 * after) / largest),
  });
  const zero = at(0, 0);
  const element = svg(
    "svg",
    { width: PLOT.w, height: PLOT.h },
    svg("path", { class: "mg-film-axis", d: `M0 ${zero.cy}H${PLOT.w}M${zero.cx} 0V${PLOT.h}` }),
    svg("text", { class: "mg-film-label", x: PLOT.w - 4, y: zero.cy + 12, "text-anchor": "end" }, "h"),
    svg("text", { class: "mg-film-label", x: zero.cx - 5, y: 12, "text-anchor": "end" }, "GELU(h)"),
  );
  layer.append(placed("mg-film-plot", { x: left, y: top, ...PLOT }, element));
  return { element, at };
}

/** The probabilities fill their columns; the last word's grow as bars. */
function growBars(film, scene, beat, move) {
  fillIn(film, scene, beat, move);
  const last = film.view.window.length - 1;
  if (!beat.parts.some(([position]) => position === last)) return;
  for (const bar of film.parts.answer.element.querySelectorAll(".mg-bar")) {
    move(bar, [{ transform: "scaleX(0)", transformOrigin: "left" }, { transform: "none", transformOrigin: "left" }], beat);
  }
}
