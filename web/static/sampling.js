/**
 * From logits to the next word, as in model/sampling.py, for the page without a server.
 *
 * The only arithmetic on values in the browser; tested against results of the Python code.
 */

import { drawNumber } from "./draws.js";
import { InputError } from "./errors.js";
import { isSetting } from "../sampling_settings.js";
import { readNumber, twoReadings } from "../typed_number.js";

const DRAW_SCALE = 1e6; // probabilities are rounded before a draw: engines differ in the seventh decimal

/** The id of the word after `logits`. `index`: which draw of the seed is used. */
export function nextWord(logits, { mode, temperature, top_k: topK, top_p: topP }, seed, index) {
  const settings = mode === "sample" ? checked({ temperature, topK, topP }) : { temperature: 0 };
  const draws = checkedSeed(seed);
  if (!logits.every(Number.isFinite)) throw new InputError("logits_not_finite");
  if (settings.temperature === 0) return logits.indexOf(Math.max(...logits));
  return choose(probabilities(logits, settings), drawNumber(draws, index));
}

/** Probabilities after temperature, top_k and top_p. */
export function probabilities(logits, { temperature, topK, topP }) {
  const largest = Math.max(...logits);
  const spread = normalised(logits.map((logit) => Math.exp((logit - largest) / temperature)));
  const ofTopK = keep(spread, topKKept(spread, topK));
  const ofTopP = keep(ofTopK, topPKept(ofTopK, topP));
  return normalised(ofTopP.map((share) => roundHalfEven(share * DRAW_SCALE) / DRAW_SCALE));
}

/** The id whose interval of the cumulative sum contains `number`; beyond the end, the last possible one. */
export function choose(shares, number) {
  let edge = 0;
  let below = 0;
  let lastPossible = 0;
  shares.forEach((share, id) => {
    edge += share;
    if (edge <= number) below += 1;
    if (share > 0) lastPossible = id;
  });
  return Math.min(below, lastPossible);
}

function checked({ temperature, topK, topP }) {
  const numbers = { temperature: asNumber(temperature), topK: asNumber(topK), topP: asNumber(topP) };
  refuseUnless("temperature", numbers.temperature, temperature);
  refuseUnless("top_k", numbers.topK, topK);
  refuseUnless("top_p", numbers.topP, topP);
  return { ...numbers, temperature: Number(numbers.temperature) };
}

function checkedSeed(seed) {
  const number = asNumber(seed);
  refuseUnless("seed", number, seed);
  return BigInt(number);
}

function refuseUnless(name, number, given) {
  if (!isSetting(name, number)) throw new InputError(name, { value: shown(given) });
}

/** A field's value is text if the user typed something that is not a number yet. */
function asNumber(value) {
  if (typeof value !== "string") return value;
  const unclear = twoReadings(value);
  if (unclear) throw new InputError("number_comma", unclear);
  return readNumber(value) ?? NaN;
}

function shown(value) {
  return typeof value === "string" ? `'${value}'` : String(value);
}

function topKKept(shares, topK) {
  if (!topK || topK >= shares.length) return shares.map(() => true);
  const kept = new Set(byProbability(shares).slice(0, topK));
  return shares.map((_, id) => kept.has(id));
}

/** The most probable words until their sum reaches topP; including the word that reaches it. */
function topPKept(shares, topP) {
  if (topP >= 1) return shares.map(() => true);
  const kept = shares.map(() => false);
  let sum = 0;
  for (const id of byProbability(shares)) {
    sum += shares[id];
    kept[id] = sum - shares[id] < topP;
  }
  return kept;
}

/** Ids by descending probability; ties by ascending id. */
function byProbability(shares) {
  return shares.map((_, id) => id).sort((left, right) => shares[right] - shares[left] || left - right);
}

function keep(shares, kept) {
  return normalised(shares.map((share, id) => (kept[id] ? share : 0)));
}

function normalised(weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Rounds as NumPy does: halves to even. */
function roundHalfEven(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
