/**
 * The one reader of numbers that people type, as model/typed_numbers.py reads them: full-width
 * digits, a comma or 。 for the point, every dash and 负 for minus, per cent, powers of ten,
 * fractions, groups of three, an ≈ in front. tests/typed_numbers.json holds the two together.
 */

const LONGEST = 40; // characters
const LARGEST_WHOLE = 2n ** 64n;
const LARGEST_PART = 2 ** 53; // of a fraction: up to it the quotient of two doubles is exact
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
const SIGNS = new Map([
  ...[..."−–—‒‐‑负"].map((dash) => [dash, "-"]),
  ...[..."÷⁄∕"].map((bar) => [bar, "/"]),
  ["正", "+"],
  ["。", "."],
]);
const INFINITIES = ["∞", "inf", "infinity", "无穷", "无穷大"];
const DECIMAL = "(?:[0-9][0-9,]*(?:\\.[0-9]*)?|[.,][0-9]+)";
const NUMBER = new RegExp(`^(${DECIMAL})(%)?(?:(?:e|[×x*]10\\^)([+-]?[0-9]{1,3}))?$`);
const FRACTION = new RegExp(`^(${DECIMAL})/(${DECIMAL})$`);
const GROUPED = /^[1-9][0-9]{0,2}(,[0-9]{3})+$/;

/**
 * @param {string} text
 * @returns {number|bigint|null} a bigint where a whole number is too large for a number; null if
 *   it is no number, or one whose comma can mean two things (the server says so)
 */
export function readNumber(text) {
  const folded = fold(text);
  if (folded === null) return null;
  const isNegative = folded.startsWith("-");
  const body = /^[+-]/.test(folded) ? folded.slice(1) : folded;
  const size = INFINITIES.includes(body) ? Infinity : readFraction(body) ?? readDecimal(body);
  if (size === null) return null;
  if (size === 0) return 0; // never -0
  return isNegative ? -size : size;
}

/** `{value, decimal, whole}` where a comma can be the point or part a group of three, else null. */
export function twoReadings(text) {
  const [, digits] = /^[+-]?([0-9,]+)$/.exec(fold(text) ?? "") ?? [];
  if (!GROUPED.test(digits ?? "") || digits.split(",").length > 2) return null;
  return { value: text.trim(), decimal: digits.replace(",", "."), whole: digits.replace(",", "") };
}

/** A finite number, as a state and an address hold it: a whole one too large, as its digits. */
export function readField(text) {
  const value = readNumber(text);
  if (typeof value === "bigint") return String(value);
  return value === null || !Number.isFinite(value) ? text.trim() : value;
}

function fold(text) {
  const raised = text.replace(new RegExp(`[${SUPERSCRIPTS}]+`, "g"), (run) => `^${lowered(run)}`);
  const folded = [...raised.normalize("NFKC").toLowerCase()].map((sign) => SIGNS.get(sign) ?? sign).join("").trim();
  if (!folded || folded.length > LONGEST || /[0-9]\s+[0-9]/.test(folded)) return null;
  return folded.replace(/\s/g, "").replace(/^[≈=约]/, "");
}

function lowered(run) {
  return [...run].map((sign) => "0123456789+-"[SUPERSCRIPTS.indexOf(sign)]).join("");
}

function readDecimal(body) {
  const [, typed, percent, power] = NUMBER.exec(body) ?? [];
  const plain = typed === undefined || (percent && power) ? null : plainOf(typed);
  if (plain === null) return null;
  const shift = percent ? -2 : Number(power ?? 0);
  const value = Number(`${plain}e${shift}`);
  return wholeOf(plain, shift) ?? (Number.isFinite(value) ? value : null);
}

function readFraction(body) {
  const [, ...typed] = FRACTION.exec(body) ?? [];
  const parts = typed.map(plainOf);
  if (parts.length < 2 || parts.includes(null)) return null;
  const places = Math.max(...parts.map((part) => part.split(".")[1]?.length ?? 0));
  const [above, below] = parts.map((part) => Number(`${part}e${places}`));
  return below === 0 || Math.max(above, below) > LARGEST_PART ? null : above / below;
}

/** The whole number that `plain` times 10^shift is, exactly; null if it is none, or too large. */
function wholeOf(plain, shift) {
  const [whole, fraction = ""] = plain.split(".");
  let digits = whole + fraction;
  let power = shift - fraction.length;
  while (power < 0 && digits.endsWith("0")) {
    digits = digits.slice(0, -1);
    power += 1;
  }
  if (/^0*$/.test(digits)) return 0;
  if (power < 0 || power > 20) return null;
  const value = BigInt(digits) * 10n ** BigInt(power);
  if (value > LARGEST_WHOLE) return null;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value);
}

/** Digits with a point or without; null where commas can't be read in one way. */
function plainOf(digits) {
  const [whole, fraction] = digits.split(".");
  const commas = whole.split(",").length - 1;
  const isGrouped = GROUPED.test(whole) && (fraction !== undefined || commas > 1);
  if (commas > 0 && !isGrouped && (fraction !== undefined || commas > 1 || GROUPED.test(whole))) return null;
  const plain = isGrouped ? digits.replaceAll(",", "") : digits.replace(",", ".");
  return `0${plain.replace(/\.$/, "")}`;
}
