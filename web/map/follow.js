/**
 * Which positions feed one word's result: the path one follows backwards through the network.
 *
 * Everything but attention works on each position by itself, so a position enters only where a
 * needed word looks at it.
 */

/** Stages of a block before which attention has mixed positions, from the last to the first. */
const MIXED = [
  "residual_after_ffn",
  "ffn_update",
  "ffn_activation",
  "ffn_hidden",
  "ln2",
  "residual_after_attention",
  "attention_update",
  "heads_joined",
  "head_outputs",
  "attention_probs",
  "masked_scores",
  "scores",
  "query",
];

/**
 * @param {Record<string, Array>} trace
 * @param {number} numLayers
 * @param {number} position the word that is followed
 * @returns {Map<string, Set<number>>} stage key -> positions whose values there feed `position`
 *   at the end; in a matrix, the looking positions
 */
export function feedingPositions(trace, numLayers, position) {
  const feeding = new Map();
  let needed = new Set([position]);
  for (const key of ["vocabulary_probs", "logits", "final_hidden"]) feeding.set(key, needed);
  for (let block = numLayers - 1; block >= 0; block -= 1) {
    const key = (name) => `blocks.${block}.${name}`;
    for (const name of MIXED) feeding.set(key(name), needed);
    const seen = seenFrom(trace[key("attention_probs")], needed);
    feeding.set(key("value"), seen);
    feeding.set(key("key"), seen);
    needed = new Set([...needed, ...seen]);
    feeding.set(key("ln1"), needed);
  }
  for (const key of ["residual_0", "position_embeddings", "token_embeddings"]) {
    feeding.set(key, needed);
  }
  return feeding;
}

/** The positions that any head of any looking position in `lookers` gives weight to. */
function seenFrom(probabilities, lookers) {
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
