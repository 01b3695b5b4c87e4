/**
 * Which parts of the map a switch turns off, and how they look then (css/map.css).
 *
 * Off: its numbers go nowhere, or are 0. Passed through: a norm that is off hands on what it is
 * given. Named only: without the mask, the masked scores are the scores themselves.
 */

import { BLOCK, ENTRANCE } from "../network_values.js";

const HEAD_VALUES = ["query", "key", "value", "scores", "masked_scores", "attention_probs", "head_outputs"];
const ATTENTION = [...HEAD_VALUES, "heads_joined", "attention_update"];
const FFN = ["ffn_hidden", "ffn_activation", "ffn_update"];
const NOTHING = { off: [], through: [], named: [], rows: [], carried: [], road: [], links: [], operators: [] };
const WIRES = ".mg-map-line:not(.mg-map-line-turn):not(.mg-map-line-leave)[data-carries], .mg-map-plus[data-carries]";
const ROAD = ".mg-map-ribbon[data-carries], .mg-map-line-turn[data-carries]";

/**
 * What the switch `name` (see model/switches.py) turns off.
 *
 * @returns {{off: string[], through: string[], named: string[], rows: string[], carried: string[],
 *   road: string[], links: string[], operators: string[]}} stages by key; `rows`: "stage key/head";
 *   `carried` and `road`: the keys of the values on wires and on the residual stream;
 *   `links`: "block/head", or "block" for all heads
 */
export function partsOf(name) {
  if (name === "position_embedding") return { ...NOTHING, off: ["position_embeddings"], carried: ["position_embeddings"] };
  if (name === "causal_mask") return { ...NOTHING, named: ["masked_scores"], operators: ["mask"] };
  if (name === "final_norm") return { ...NOTHING, through: ["final_hidden"] };
  const [, block, part, head] = /^blocks\.(\d+)\.(\w+)(?:\.(\d+))?$/.exec(name);
  const keys = (names) => names.map((each) => `blocks.${block}.${each}`);
  switch (part) {
    case "head":
      return { ...NOTHING, rows: keys(HEAD_VALUES).map((key) => `${key}/${head}`), links: [`${block}/${head}`] };
    case "attention":
      return { ...NOTHING, off: keys(ATTENTION), carried: keys(["ln1", ...ATTENTION]), links: [block] };
    case "ffn":
      return { ...NOTHING, off: keys(FFN), carried: keys(["ln2", ...FFN]) };
    case "residual_attention":
      return { ...NOTHING, road: [beforeBlock(Number(block))] };
    case "residual_ffn":
      return { ...NOTHING, road: keys(["residual_after_attention"]) };
    default:
      return { ...NOTHING, through: keys([part]) };
  }
}

/** The key of the residual stream as a block meets it. */
function beforeBlock(block) {
  return block === 0 ? ENTRANCE.at(-1).name : `blocks.${block - 1}.${BLOCK.at(-1).name}`;
}

/** Everything that is off, each kind a set. */
export function partsOff(switches) {
  const names = Object.keys(switches).filter((name) => switches[name] === false);
  const parts = names.map(partsOf);
  return Object.fromEntries(Object.keys(NOTHING).map((kind) => [kind, new Set(parts.flatMap((part) => part[kind]))]));
}

/** @param {object} parts of a board view: `views` of stages and the `backdrop` with its links */
export function createSwitchedOff({ views, backdrop }) {
  let shown = null; // the switches shown
  let wasOn = true;

  function show(off) {
    for (const view of views) showStage(view, off);
    const carries = (keys) => (part) => keys.has(part.dataset.carries);
    mark(backdrop.element.querySelectorAll(WIRES), carries(off.carried));
    mark(backdrop.element.querySelectorAll(ROAD), carries(off.road));
    mark(backdrop.links.children, ({ dataset }) => off.links.has(dataset.block) || off.links.has(`${dataset.block}/${dataset.head}`));
    mark(backdrop.element.querySelectorAll("[data-operator]"), ({ dataset }) => off.operators.has(dataset.operator));
  }

  return {
    /** Before the stages are updated, which say in their names what is off. */
    update({ switches }) {
      if (switches === shown) return;
      shown = switches;
      const isOn = !Object.values(switches).includes(false);
      if (!(isOn && wasOn)) show(partsOff(switches));
      wasOn = isOn;
    },
  };
}

function showStage(view, off) {
  const { key, name } = view.stage;
  const isOff = off.off.has(key);
  const isThrough = off.through.has(key);
  view.isOff = isOff || isThrough || off.named.has(name);
  view.element.classList.toggle("mg-map-off", isOff);
  view.element.classList.toggle("mg-map-through", isThrough);
  view.element.classList.toggle("mg-map-off-named", view.isOff);
  for (const row of view.rows) {
    row.setOff(off.rows.has(`${key}/${row.head}`));
  }
}

function mark(parts, isOff) {
  for (const part of parts) part.classList.toggle("mg-map-off", isOff(part));
}
