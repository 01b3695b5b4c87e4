/** The one scale on which map and tables colour every signed value. */

import { numbersOf } from "../trace_bytes.js";

const STEPS = [0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000];
const SHARE = 0.9; // of the values get a colour short of the full one
const known = new WeakMap(); // trace -> its scale

/**
 * A round figure that nine of ten signed values of the trace stay within; what exceeds it has
 * the full colour. Steps are coarse, so that a value keeps its colour from prompt to prompt.
 *
 * @param {Record<string, Array>} trace key -> nested arrays; what is masked (null) or hidden (NaN)
 * counts for nothing
 */
export function mapScale(trace) {
  if (!known.has(trace)) known.set(trace, scaleOf(trace));
  return known.get(trace);
}

/** Counted by steps: no step needs the numbers in their order. */
function scaleOf(trace) {
  const within = STEPS.map(() => 0); // how many magnitudes have this step as their lowest
  const larger = [];
  let count = 0;
  for (const key of Object.keys(trace)) {
    if (key.endsWith("_probs")) continue;
    for (const number of numbersOf(trace, key)) {
      const magnitude = Math.abs(number);
      if (!(magnitude > 0 && magnitude < Infinity)) continue; // null counts as 0 here
      count += 1;
      let step = 0;
      while (magnitude > STEPS[step]) step += 1;
      if (step < STEPS.length) within[step] += 1;
      else larger.push(magnitude);
    }
  }
  if (!count) return STEPS[0];
  let left = Math.floor(count * SHARE);
  for (const [step, many] of within.entries()) {
    if (left < many) return STEPS[step];
    left -= many;
  }
  return larger.sort((one, other) => one - other)[left];
}
