/**
 * A trace with many numbers: it travels as bytes (see ui/views.py) and becomes nested lists, as
 * any other, value by value where it is read. What only looks at the numbers reads them as they came.
 */

import { fromBase64 } from "./base64.js";
import { stagesOf } from "./map/stages.js";

const ROAD = "residual_"; // at the beginning of the names on the residual stream
const flat = new WeakMap(); // trace -> its numbers by key

/** An answer of the server with the traces of its views unpacked. */
export function unpacked(answer) {
  for (const view of [answer, answer.view, answer.left, answer.right]) {
    if (!view?.trace?.float32) continue;
    view.isLarge = true;
    view.trace = traceFrom(view.trace.float32, view);
    if (view.baseline) view.baseline = traceFrom(view.baseline.float32, view);
  }
  return answer;
}

/**
 * The numbers of the value `key` in the order of its cells; null where it is not there. A masked
 * score is null or minus infinity.
 *
 * @returns {Float32Array|Array<number|null>|null}
 */
export function numbersOf(trace, key) {
  const known = flat.get(trace)?.get(key);
  if (known) return known;
  return trace[key]?.flat(Infinity) ?? null;
}

function traceFrom(text, { model, window, block }) {
  const floats = new Float32Array(fromBase64(text).buffer);
  const trace = {};
  const own = new Map();
  let at = 0;
  for (const stage of stagesOf(model.config, window.length)) {
    if (!isCarried(stage, block)) continue;
    const size = stage.shape.reduce((all, each) => all * each, 1);
    own.set(stage.key, floats.subarray(at, at + size));
    at += size;
    unfold(trace, stage, own.get(stage.key));
  }
  flat.set(trace, own);
  return trace;
}

/** With a block named, the others have their residual stream alone. */
function isCarried({ name, block }, only) {
  return only === undefined || block === null || block === only || name.startsWith(ROAD);
}

/** Gives `trace` the value as nested lists, made at the first look. */
function unfold(trace, { key, shape }, numbers) {
  Object.defineProperty(trace, key, {
    enumerable: true,
    configurable: true,
    get() {
      const value = nested(shape, numbers);
      Object.defineProperty(trace, key, { enumerable: true, value });
      return value;
    },
  });
}

function nested([size, ...rest], numbers) {
  if (!rest.length) return Array.from(numbers, (number) => (Number.isFinite(number) ? number : null));
  const step = numbers.length / size;
  return Array.from({ length: size }, (_, place) => nested(rest, numbers.subarray(place * step, (place + 1) * step)));
}
