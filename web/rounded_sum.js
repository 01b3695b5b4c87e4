/** The sum of probabilities as displayed: each is rounded by itself, so it need not be 1. */

import { number } from "./format.js";

const DECIMALS = 4;
const NEARLY_ONE = 1e-5; // float32 error; beyond it the row is no distribution, and there is no note

/** The values, by name, whose rows along the last axis add up to 1. */
const DISTRIBUTIONS = new Set(["attention_probs", "vocabulary_probs"]);

/** The sum of `shares` as they are shown, to so many decimals. */
export function roundedSum(shares, decimals = DECIMALS) {
  return sumOfTexts(shares.map((share) => number(share, decimals)));
}

/** The shares that stand by themselves, and the sum of the others if there are any. */
export function withRest(shares, places) {
  if (places.length === shares.length) return shares;
  const own = places.map((place) => shares[place]);
  const shown = new Set(places);
  return [...own, shares.reduce((sum, share, place) => (shown.has(place) ? sum : sum + share), 0)];
}

/** Why a row of probabilities does not add up to 1, or "" where it does. */
export function roundingNote(shares, t, decimals = DECIMALS) {
  const [sum] = sumsOf([shares], decimals);
  return sum ? t("shell.rounded_sum", { sum }) : "";
}

/** The same of many rows: the sums other than 1 that stand among them, or "". */
export function roundingNoteOfRows(rows, t, decimals = DECIMALS) {
  return noteOf(sumsOf(rows, decimals), t);
}

/**
 * The same of a value of the trace, where it holds distributions; `textOf` is how a number is
 * shown in a cell, or null where the cell is hidden.
 *
 * @param {{name: string, axes: string[]}} value
 * @param {Array} numbers nested lists
 * @param {(raw: number, cell: number[]) => string|null} textOf
 */
export function roundingNoteOfValue({ name, axes }, numbers, t, textOf) {
  if (!DISTRIBUTIONS.has(name) || !Array.isArray(numbers)) return "";
  const rows = rowsOf(numbers, axes.length).filter(({ shares }) => isDistribution(shares));
  const texts = rows.map(({ shares, place }) => shares.map((share, at) => textOf(share, [...place, at])));
  const whole = texts.filter((row) => row.every((text) => text));
  return noteOf(whole.map(sumOfTexts).filter(isNotOne), t);
}

function sumsOf(rows, decimals) {
  return rows.filter(isDistribution).map((row) => roundedSum(row, decimals)).filter(isNotOne);
}

function noteOf(sums, t) {
  const different = [...new Set(sums)].sort();
  return different.length ? t("shell.rounded_sums", { sums: different.join(t("shell.list_or")) }) : "";
}

/** As a person adds them, digit by digit. */
function sumOfTexts(texts) {
  const decimals = Math.max(...texts.map((text) => (text.split(".")[1] ?? "").length));
  const units = texts.reduce((total, text) => total + Math.round(Number(text) * 10 ** decimals), 0);
  return (units / 10 ** decimals).toFixed(decimals);
}

const isNotOne = (sum) => Number(sum) !== 1;

const isDistribution = (shares) => Math.abs(shares.reduce((total, share) => total + share, 0) - 1) < NEARLY_ONE;

/** The rows along the last of so many axes, each with its place along the others. */
function rowsOf(numbers, axes, place = []) {
  if (axes === 1) return [{ shares: numbers, place }];
  return numbers.flatMap((part, at) => rowsOf(part, axes - 1, [...place, at]));
}
