/** What the settings of sampling can be, as model/sampling.py checks them. */

import { readNumber } from "./typed_number.js";

const SEED_LIMIT = 2n ** 63n;
const isWhole = (number) => (Number.isSafeInteger(number) || typeof number === "bigint") && number >= 0;

/** By name, whether a number is one of that setting. */
const RANGES = {
  temperature: (number) => Number.isFinite(Number(number)) && number >= 0,
  top_k: isWhole,
  top_p: (number) => number > 0 && number <= 1,
  seed: (number) => isWhole(number) && BigInt(number) < SEED_LIMIT,
};

/** Whether `value` can be the setting `name`: a number, or a text that is one. */
export function isSetting(name, value) {
  const number = typeof value === "string" ? readNumber(value) : value;
  return number !== null && RANGES[name](number);
}
