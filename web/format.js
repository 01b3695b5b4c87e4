/** Numbers as the page writes them. */

const MINUS = "\u2212";

/**
 * A value with a fixed number of decimals and a real minus sign; null is minus infinity (that
 * is how a masked score travels in JSON). What rounds to zero has no sign.
 *
 * @param {number|null} value
 * @param {number} [decimals]
 */
export function number(value, decimals = 4) {
  if (value === null || value === undefined) return `${MINUS}∞`;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = fixed(Math.abs(value), decimals);
  const isZero = !/[1-9]/.test(text);
  return value < 0 && !isZero ? MINUS + text : text;
}

/**
 * Halves go up, of the decimal that a person writes: 0.05375 is half-way, though its binary
 * neighbour lies just below.
 */
function fixed(value, decimals) {
  const [, fraction = ""] = String(value).split(".");
  const isHalf = fraction.length === decimals + 1 && fraction.endsWith("5");
  return (isHalf ? value + 10 ** -(decimals + 3) : value).toFixed(decimals);
}

/** A value that may be hidden (NaN in a veiled view): then it is a question mark. */
export function numberOrMark(value, decimals = 4) {
  return Number.isNaN(value) ? "?" : number(value, decimals);
}

/** A change, with its sign in front; what rounds to nothing has none. */
export function signed(value, decimals = 4) {
  const text = number(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A small positive number in powers of ten: 4.77e-7 as "4.8 × 10⁻⁷"; 0 as "0". */
export function scientific(value, digits = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "—";
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${mantissa.replace("-", MINUS)} × 10${superscript(Number(exponent))}`;
}

function superscript(integer) {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const sign = integer < 0 ? "⁻" : "";
  return sign + [...String(Math.abs(integer))].map((digit) => digits[Number(digit)]).join("");
}
