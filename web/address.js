/**
 * The state as an address, so that a page can be bookmarked, sent and reloaded.
 *
 * One query key per part of the state that differs from a first visit:
 * `?v=1&tokens=0-1-3&engine=torch&lang=en&model=trained&stage=blocks.0.query&cell=0.1.2&film=12`
 * `&sampling=sample~0.8~3~0.9~42&edits=lm_head.bias~0~0.5&switches=causal_mask~false&panel=compare`
 * `&compare=sentence~4-1~&tour=2`.
 * `~` separates values, `*` separates entries; neither is escaped in an address. Other keys
 * (`__theme`) are left alone.
 */

import { DEFAULT_STATE } from "./state.js";
import { STEPS } from "./tour/steps.js";
import { readNumber } from "./typed_number.js";

const VERSION = "1";
const KEYS = [
  "v", "tokens", "drawn", "engine", "lang", "model", "stage", "cell",
  "film", "edits", "switches", "sampling", "panel", "compare", "tour",
];
const NAME = /^[A-Za-z_][\w.]*$/;
const DIGITS = /^\d{1,40}$/;
const MODEL = /^[a-z]+(:[\w-]{1,64})?$/;

/**
 * The state that an address holds, and the keys in it that could not be read.
 *
 * @param {string} search the address from its `?` on
 * @param {object} initial from ui/page.py: `view`, `limits`, `engines`, `panels`, `languages`
 * @returns {{state: object, ignored: string[]}} only the parts that the address names
 */
export function readAddress(search, initial) {
  const query = readQuery(search);
  if (query.has("v") && query.get("v") !== VERSION) return { state: {}, ignored: ["v"] };
  const state = {};
  const ignored = [];
  for (const [key, read] of Object.entries(readers(initial, query.get("model")))) {
    if (!query.has(key)) continue;
    try {
      state[key] = read(query.get(key));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      ignored.push(key);
    }
  }
  if (state.drawn > (state.tokens ?? DEFAULT_STATE.tokens).length) {
    delete state.drawn;
    ignored.push("drawn");
  }
  return { state, ignored };
}

/**
 * The query (with its `?`, or empty) for `state`, keeping the other keys of `search`.
 *
 * @param {string[]} [always] parts to name even where they are as at a first visit
 */
export function addressOf(state, search = "", always = []) {
  const others = [...readQuery(search)].filter(([key]) => !KEYS.includes(key));
  const own = Object.entries(writers)
    .map(([key, write]) => [key, write(state[key])])
    .filter(([key, text]) => always.includes(key) || text !== writers[key](DEFAULT_STATE[key]));
  if (own.length) own.unshift(["v", VERSION]);
  const pairs = [...own, ...others].map(
    ([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
  );
  return pairs.length ? `?${pairs.join("&")}` : "";
}

class Unreadable extends Error {}

const writers = {
  tokens: (tokens) => tokens.join("-"),
  drawn: String,
  engine: String,
  lang: String,
  model: String,
  stage: (stage) => stage ?? "",
  cell: (cell) => (cell ?? []).join("."),
  film: (stop) => (stop === null ? "" : String(stop)),
  edits: (edits) =>
    entriesOf(edits)
      .filter(([, cells]) => Object.keys(cells).length)
      .map(([name, cells]) =>
        [name, ...entriesOf(cells).flatMap(([at, value]) => [at.replaceAll(",", "."), value])].join("~"),
      )
      .join("*"),
  switches: (switches) =>
    entriesOf(switches)
      .map(([name, value]) => `${name}~${value}`)
      .join("*"),
  sampling: ({ mode, ...numbers }) =>
    [mode, ...SAMPLING_NUMBERS.map((key) => possibleOr(key, numbers[key], DEFAULT_STATE.sampling[key]))].join("~"),
  panel: (panel) => panel ?? "",
  tour: (step) => (step === null ? "" : String(step + 1)),
  compare: ({ kind, tokens, model }) => [kind, tokens.join("-"), model ?? ""].join("~"),
};

export const COMPARED = ["sentence", "unchanged", "model"];
/** A whole number; one too large for a JavaScript number is kept as its digits. */
const isCount = (value) => (typeof value === "string" ? DIGITS.test(value) : Number.isSafeInteger(value) && value >= 0);
const POSSIBLE = {
  temperature: (value) => isCount(value) || (Number.isFinite(value) && value >= 0),
  top_k: isCount,
  top_p: (value) => value > 0 && value <= 1,
  seed: isCount,
};
const SAMPLING_NUMBERS = Object.keys(POSSIBLE);

function readers(initial, modelId) {
  const { limits, engines, panels, languages } = initial;
  const words = numberOfWords(initial, modelId);
  const oneOf = (choices) => (text) => (choices.includes(text) ? text : refuse());
  const matching = (pattern) => (text) => (pattern.test(text) ? text : refuse());
  const word = (text) => (wholeNumber(text) < words ? Number(text) : refuse());
  const sentence = (text) => {
    const tokens = text === "" ? [] : text.split("-").map(word);
    return tokens.length <= limits.tokens ? tokens : refuse();
  };
  return {
    tokens: sentence,
    drawn: wholeNumber,
    engine: oneOf(engines),
    lang: oneOf(languages),
    model: matching(MODEL),
    stage: matching(NAME),
    cell: (text) => text.split(".").map(wholeNumber),
    film: wholeNumber,
    edits: (text) => currentlyNamed(fromEntries(text, readCells)),
    switches: (text) => fromEntries(text, ([value, ...more]) => (more.length ? refuse() : readSwitch(value))),
    sampling: readSampling,
    panel: oneOf(panels.map(({ id }) => id)),
    tour: (text) => stepOf(wholeNumber(text)),
    compare(text) {
      const [kind, tokens, model, ...more] = text.split("~");
      if (!COMPARED.includes(kind) || tokens === undefined || model === undefined || more.length) refuse();
      return { kind, tokens: sentence(tokens), model: model === "" ? null : matching(MODEL)(model) };
    },
  };
}

/** How many words a model may have: those of one's own are known to the server alone. */
function numberOfWords({ view, other_words: others = [], limits }, model) {
  if (model?.startsWith("own:")) return limits.words ?? view.model.words.length;
  return (others.find(({ id }) => id === model) ?? view.model).words.length;
}

function readSampling(text) {
  const [mode, ...numbers] = text.split("~");
  if (!["argmax", "sample"].includes(mode) || numbers.length !== SAMPLING_NUMBERS.length) refuse();
  const values = numbers.map(anyNumber);
  if (!SAMPLING_NUMBERS.every((key, at) => POSSIBLE[key](values[at]))) refuse();
  return { mode, ...Object.fromEntries(SAMPLING_NUMBERS.map((key, at) => [key, values[at]])) };
}

function readCells(parts) {
  if (parts.length === 0 || parts.length % 2) refuse();
  const cells = {};
  for (let at = 0; at < parts.length; at += 2) {
    const index = parts[at].split(".").map(wholeNumber).join(",");
    cells[index] = finiteNumber(parts[at + 1]);
  }
  return cells;
}

/** `name~…*name~…` as an object; `read` gets what follows the name. */
function fromEntries(text, read) {
  const entries = text.split("*").map((entry) => {
    const [name, ...parts] = entry.split("~");
    return NAME.test(name) && parts.length ? [name, read(parts)] : refuse();
  });
  return Object.fromEntries(entries);
}

/** Edits of an address made when the FFN's layers had names, under the names of today. */
function currentlyNamed(edits) {
  return Object.fromEntries(
    Object.entries(edits).map(([name, cells]) => {
      const current = name.replace(".ffn.expand.", ".ffn.0.").replace(".ffn.contract.", ".ffn.2.");
      return [current in edits ? name : current, cells];
    }),
  );
}

/** What a switch can be: on or off, or a number. */
function readSwitch(text) {
  return text === "true" || text === "false" ? text === "true" : anyNumber(text);
}

/** A finite number, or the digits of a whole one that a number would round. */
function anyNumber(text) {
  const value = finiteNumber(text);
  return DIGITS.test(text) && typeof readNumber(text) === "bigint" ? text : value;
}

function wholeNumber(text) {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse();
}

/** The step with this number. */
function stepOf(number) {
  return number >= 1 && number <= STEPS.length ? number - 1 : refuse();
}

function finiteNumber(text) {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) ? value + 0 : refuse(); // never -0
}

function possibleOr(key, value, otherwise) {
  return POSSIBLE[key](value) ? value : otherwise;
}

function entriesOf(object) {
  return Object.entries(object ?? {});
}

function readQuery(search) {
  return new URLSearchParams(search);
}

function refuse() {
  throw new Unreadable();
}
