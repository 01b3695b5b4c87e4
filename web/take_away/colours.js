/** Colours of the style sheet as "#rrggbb", for files that have no style sheet beside them. */

const VARIABLE = /^var\((--[\w-]+)\)$/;
const MIX = /^color-mix\(in oklab, (.+?) ([\d.]+)%, (.+)\)$/; // the second colour may be a mix too
const LONG = /^#([0-9a-f]{6})$/i;
const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;

/**
 * @param {string} colour "#…", "var(--…)" or "color-mix(in oklab, … %, …)" of such
 * @param {Record<string, string>} variables by name, with their dashes
 * @returns {string} "#rrggbb"
 */
export function resolved(colour, variables) {
  const text = colour.trim();
  if (LONG.test(text)) return text.toLowerCase();
  const short = SHORT.exec(text);
  if (short) return `#${short.slice(1).map((digit) => digit + digit).join("")}`.toLowerCase();
  const variable = VARIABLE.exec(text);
  if (variable && variable[1] in variables) return resolved(variables[variable[1]], variables);
  const mix = MIX.exec(text);
  if (!mix) throw new Error(`no colour: ${colour}`);
  return mixed(resolved(mix[1], variables), resolved(mix[3], variables), Number(mix[2]) / 100);
}

/** How light a colour is, 0 to 1: the L of OKLab, by which the map writes in black or in white. */
export function lightness(colour) {
  return toOklab(colour)[0];
}

/** `share` of `one`, the rest of `other`, mixed as color-mix(in oklab, …) does. */
function mixed(one, other, share) {
  const [from, to] = [toOklab(other), toOklab(one)];
  return fromOklab(from.map((part, axis) => part + (to[axis] - part) * share));
}

// The matrices of OKLab, as its author, Björn Ottosson, gives them.
function toOklab(colour) {
  const [red, green, blue] = channels(colour).map(toLinear);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([light, a, b]) {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${linear.map((part) => hex(fromLinear(part))).join("")}`;
}

function channels(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

function toLinear(part) {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function fromLinear(part) {
  const inside = Math.min(Math.max(part, 0), 1);
  return inside <= 0.0031308 ? inside * 12.92 : 1.055 * inside ** (1 / 2.4) - 0.055;
}

function hex(part) {
  return Math.round(part * 255).toString(16).padStart(2, "0");
}
