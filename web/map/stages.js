/**
 * The values on the map in the order in which they are computed, and where in a trace tensor
 * (without its batch axis) each of their cells lies.
 */

import { BEFORE, BLOCK, END, ENTRANCE } from "../network_values.js";

const FFN_FACTOR = 4;

/** Axes -> how a value is drawn. */
const KINDS = { TC: "vector", HTD: "heads", HTT: "matrix", TF: "units", TV: "words" };

/**
 * @param {object} config vocab_size, model_dim, num_heads, num_layers
 * @param {number} sequence how many positions the window has
 * @returns {{key: string, name: string, block: number|null, kind: string, shape: number[],
 *   axes: string[], isProbability: boolean}[]}
 */
export function stagesOf(config, sequence) {
  const sizes = sizesOf(config, sequence);
  return placed(config.num_layers).map(({ key, block, value: { name, axes, isProbability } }) => ({
    key,
    name,
    block,
    kind: KINDS[axes.join("")],
    axes,
    shape: axes.map((axis) => sizes[axis]),
    isProbability,
  }));
}

/** How many numbers one block has. */
export function cellsOfBlock(config, sequence) {
  const sizes = sizesOf(config, sequence);
  const counts = BLOCK.map(({ axes }) => axes.reduce((product, axis) => product * sizes[axis], 1));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Every value of a network of so many blocks in its place: `reads` and `looksAt` are keys.
 *
 * @returns {{key: string, block: number|null, value: object, reads: string[], looksAt: string[]}[]}
 */
export function placed(numLayers) {
  const blocks = Array.from({ length: numLayers }, (_, block) => BLOCK.map((value) => inPlace(value, block, block)));
  return [
    ...ENTRANCE.map((value) => inPlace(value, null, 0)),
    ...blocks.flat(),
    ...END.map((value) => inPlace(value, null, numLayers)),
  ];
}

/** @param {number} met the block whose residual stream BEFORE stands for */
function inPlace(value, block, met) {
  const keyOf = (name) => {
    if (name === BEFORE) return met === 0 ? ENTRANCE.at(-1).name : `blocks.${met - 1}.${BLOCK.at(-1).name}`;
    return block === null ? name : `blocks.${block}.${name}`;
  };
  return { key: keyOf(value.name), block, value, reads: value.reads.map(keyOf), looksAt: value.looksAt.map(keyOf) };
}

function sizesOf(config, sequence) {
  return {
    T: sequence,
    C: config.model_dim,
    H: config.num_heads,
    D: config.model_dim / config.num_heads,
    F: FFN_FACTOR * config.model_dim,
    V: config.vocab_size,
  };
}

/** The block of a value's or a weight's key, or null. */
export function blockOf(key) {
  const found = /^blocks\.(\d+)\./.exec(key ?? "");
  return found ? Number(found[1]) : null;
}

/** The value of `tensor` (nested arrays) at `index`; null is a masked score. */
export function valueAt(tensor, index) {
  return index.reduce((part, place) => part?.[place], tensor);
}

/** The position (row of the window) a cell belongs to: the looking one in a matrix. */
export function positionOf(kind, index) {
  return kind === "heads" || kind === "matrix" ? index[1] : index[0];
}
