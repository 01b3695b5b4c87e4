/** The one scale on which map and tables colour every signed value. */

const STEPS = [0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000];
const SHARE = 0.9; // of the values get a colour short of the full one

/**
 * A round figure that nine of ten signed values of the trace stay within; what exceeds it has
 * the full colour. Steps are coarse, so that a value keeps its colour from prompt to prompt.
 *
 * @param {Record<string, Array>} trace key -> nested arrays; what is masked (null) or hidden (NaN)
 * counts for nothing
 */
export function mapScale(trace) {
  const magnitudes = [];
  for (const [key, tensor] of Object.entries(trace)) {
    if (!key.endsWith("_probs")) collect(tensor, magnitudes);
  }
  magnitudes.sort((one, other) => one - other);
  const reached = magnitudes[Math.floor(magnitudes.length * SHARE)] ?? 0;
  return STEPS.find((step) => step >= reached) ?? reached;
}

function collect(part, magnitudes) {
  if (Array.isArray(part)) part.forEach((inner) => collect(inner, magnitudes));
  else if (Number.isFinite(part) && part !== 0) magnitudes.push(Math.abs(part));
}
