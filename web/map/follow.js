/**
 * Which positions feed one word's result: the path one follows backwards through the network.
 *
 * Everything but attention works on each position by itself, so a position enters only where a
 * needed word looks at it.
 */

import { placed } from "./stages.js";

/**
 * @param {Record<string, Array>} trace
 * @param {number} numLayers
 * @param {number} position the word that is followed
 * @returns {Map<string, Set<number>>} key of a value -> positions whose numbers there feed
 *   `position` at the end; in a matrix, the looking positions
 */
export function feedingPositions(trace, numLayers, position) {
  const values = placed(numLayers).reverse();
  const feeding = new Map(values.map(({ key }) => [key, new Set()]));
  feeding.get(values[0].key).add(position);
  for (const { key, block, reads, looksAt } of values) {
    const needed = feeding.get(key);
    for (const read of reads) addTo(feeding.get(read), needed);
    const seen = looksAt.length ? seenFrom(trace[`blocks.${block}.attention_probs`], needed, trace) : [];
    for (const read of looksAt) addTo(feeding.get(read), seen);
  }
  return feeding;
}

function addTo(positions, more) {
  for (const position of more) positions.add(position);
}

/** The positions that any head of any looking position in `lookers` gives weight to. */
function seenFrom(probabilities, lookers, { vocabulary_probs: everyone }) {
  if (!probabilities) return everyone.keys(); // of a block that is not at hand: nobody is ruled out
  const seen = new Set();
  for (const head of probabilities) {
    for (const looker of lookers) {
      head[looker].forEach((probability, position) => {
        if (probability > 0) seen.add(position);
      });
    }
  }
  return seen;
}
