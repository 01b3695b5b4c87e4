/**
 * One prediction as a film: a scene for each value of the network in the order of the computation,
 * and one for the choice of the word. Pure: it knows no page, and every number in it is the trace's.
 *
 * A scene shows its cells in beats. A part of a value is the beginning of an index: [t] is the whole
 * row of position t, [head, t, u] one cell of a matrix.
 */

import { placed, stagesOf, valueAt } from "../map/stages.js";

/** Length of the film at normal speed, in ms, unless a deep network needs more for its scenes. */
export const LENGTH = 25_000;
const SHORTEST_SCENE = 600; // ms, on average
const MOST_BEATS = 12;
const MOVING = 0.85; // the part of a scene in which something moves; then it rests
const OVERLAP = 0.5; // the part of a beat after which the next begins

/** How long a scene is beside the others, by the name of its value; 1 unless said. */
const WEIGHTS = {
  token_embeddings: 1.3,
  scores: 2,
  attention_probs: 1.4,
  head_outputs: 1.8,
  ffn_activation: 1.3,
  vocabulary_probs: 1.8,
  next_id: 1.8,
};

/** The key of the last scene, in which the most probable word goes into the sentence. */
export const CHOICE = "next_id";

/**
 * @param {object} config vocab_size, model_dim, num_heads, num_layers
 * @param {number} sequence positions in the window
 * @param {Record<string, Array>} trace its tensors without their batch axis
 * @returns {{key: string, name: string, block: number|null, kind: string, start: number,
 *   duration: number, beats: object[], shown: {key: string, cell: number[], value: number|null}}[]}
 *   times in ms; beats: {at, until, shows: when its numbers appear, parts: number[][],
 *   operands: {key, parts}[]}, times from the scene's start; shown: the number it is read out with
 */
export function timelineOf(config, sequence, trace) {
  const stages = stagesOf(config, sequence);
  const kinds = new Map(stages.map((stage) => [stage.key, stage]));
  const values = new Map(placed(config.num_layers).map((value) => [value.key, value]));
  const scenes = stages.map((stage) => ({
    ...pick(stage),
    groups: groupsOf(stage, trace).map((parts) => ({
      parts,
      operands: operandsOf(parts, values.get(stage.key), kinds, trace),
    })),
    shown: worthReading(stage, sequence, trace),
  }));
  return timed([...scenes, choice(sequence, trace)]);
}

/** When each scene of a network starts, {key, start}[], which depends on no value. */
export function startsOf(config, sequence) {
  const scenes = [...stagesOf(config, sequence), { key: CHOICE, name: CHOICE }];
  const times = timesOf(scenes);
  return scenes.map(({ key }, place) => ({ key, start: times[place].start }));
}

/** The scene at `time`; the end of a scene still belongs to it. */
export function sceneAt(scenes, time) {
  const at = scenes.findIndex(({ start, duration }) => time <= start + duration);
  return at < 0 ? scenes.length - 1 : at;
}

export function endOf({ start, duration }) {
  return start + duration;
}

/** How many of a scene's beats show their numbers `time` ms after its start. */
export function beatsShown(scene, time) {
  return scene.beats.filter(({ shows }) => shows <= time).length;
}

/** The parts whose numbers are there after so many beats. */
export function partsShown(scene, count) {
  return scene.beats.slice(0, count).flatMap(({ parts }) => parts);
}

function pick({ key, name, block, kind, isProbability }) {
  return { key, name, block, kind, isProbability };
}

function choice(sequence, trace) {
  const cell = [sequence - 1, largestIn(trace.vocabulary_probs[sequence - 1])];
  const shown = { key: "vocabulary_probs", cell, value: valueAt(trace.vocabulary_probs, cell) };
  const operands = [{ key: "vocabulary_probs", parts: [cell] }];
  return {
    key: CHOICE,
    name: CHOICE,
    block: null,
    kind: "choice",
    isProbability: true,
    groups: [{ parts: [], operands }],
    shown,
  };
}

/* ---- when ---- */

function timed(scenes) {
  const times = timesOf(scenes);
  return scenes.map(({ groups, ...scene }, place) => {
    const { start, duration } = times[place];
    return { ...scene, start, duration, beats: beatsOf(groups, duration, scene.isProbability) };
  });
}

/** When each scene of these names starts, and how long it is. */
function timesOf(scenes) {
  const whole = Math.max(LENGTH, SHORTEST_SCENE * scenes.length);
  const weights = scenes.map(({ name }) => WEIGHTS[name] ?? 1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const start = Math.round((whole * before) / all);
    before += weight;
    return { start, duration: Math.round((whole * before) / all) - start };
  });
}

/** Beats that overlap; a probability fills from the beginning of its beat, others arrive at its end. */
function beatsOf(groups, duration, fills) {
  const length = (duration * MOVING) / (1 + OVERLAP * (groups.length - 1));
  return groups.map((group, place) => {
    const at = Math.round(place * OVERLAP * length);
    const until = Math.round(at + length);
    return { ...group, at, until, shows: fills ? at : until };
  });
}

/* ---- which cells, one group a beat ---- */

function groupsOf(stage, trace) {
  const [heads, positions] = [counting(stage.shape[0]), counting(stage.shape[1])];
  if (stage.kind === "heads") return atMost(positions.map((t) => heads.map((head) => [head, t])));
  if (stage.kind !== "matrix") return atMost(heads.map((t) => [[t]]));
  const rows = heads.flatMap((head) => positions.map((t) => [head, t]));
  if (stage.isProbability) return atMost(rows.map((row) => [row]));
  const cells = rows.flatMap((row) => positions.map((seen) => [...row, seen]));
  if (stage.name === "scores") return atMost(cells.map((cell) => [cell]));
  const isMasked = (cell) => valueAt(trace[stage.key], cell) === null;
  return [cells.filter((cell) => !isMasked(cell)), cells.filter(isMasked)].filter(({ length }) => length);
}

function atMost(groups) {
  const size = Math.ceil(groups.length / MOST_BEATS);
  return counting(Math.ceil(groups.length / size)).map((beat) => groups.slice(beat * size, (beat + 1) * size).flat());
}

function counting(count) {
  return Array.from({ length: count }, (_, place) => place);
}

/* ---- what they are computed from ---- */

function operandsOf(parts, value, kinds, trace) {
  const { kind } = kinds.get(value.key);
  const same = value.reads.map((key) => ({ key, parts: unique(parts.flatMap((part) => sameIn(part, kind, kinds.get(key)))) }));
  const seen = value.looksAt.map((key) => ({ key, parts: unique(parts.flatMap((part) => seenBy(part, value.block, trace))) }));
  return [...same, ...seen].filter((operand) => operand.parts.length);
}

/** The parts of `read` at the same position as `part` of a value of `kind`. */
function sameIn(part, kind, read) {
  const isOfHeads = kind === "heads" || kind === "matrix";
  const readsHeads = read.kind === "heads" || read.kind === "matrix";
  if (isOfHeads && readsHeads) return [kind === "matrix" && read.kind === "matrix" ? part : part.slice(0, 2)];
  const position = isOfHeads ? part[1] : part[0];
  return readsHeads ? counting(read.shape[0]).map((head) => [head, position]) : [[position]];
}

/** [head, u] of the position a score is about, or of all that a row gives weight to. */
function seenBy([head, looker, seen], block, trace) {
  if (seen !== undefined) return [[head, seen]];
  const row = trace[`blocks.${block}.attention_probs`][head][looker];
  return counting(row.length).filter((position) => row[position] > 0).map((position) => [head, position]);
}

function unique(parts) {
  return [...new Map(parts.map((part) => [part.join(), part])).values()];
}

/* ---- the number a scene is read out with ---- */

/** Of the last position (and the first head): the largest probability or score, or value by size. */
function worthReading(stage, sequence, trace) {
  const isOfHeads = stage.shape.length === 3;
  const row = isOfHeads ? [0, sequence - 1] : [sequence - 1];
  const numbers = valueAt(trace[stage.key], row);
  const isRanked = stage.isProbability || stage.kind === "words";
  const cell = [...row, largestIn(isRanked ? numbers : numbers.map((value) => value === null ? -1 : Math.abs(value)))];
  return { key: stage.key, cell, value: valueAt(trace[stage.key], cell) };
}

/** The place of the largest; 0 where all are hidden. */
function largestIn(numbers) {
  return numbers.reduce((best, value, place) => (value > numbers[best] ? place : best), 0);
}
