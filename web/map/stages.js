/**
 * The stages of the network in the order in which they are computed, and where in a trace
 * tensor (without its batch axis) each of their cells lies.
 *
 * Axes: T sequence, C model_dim, H num_heads, D head_size, F ffn units, V vocab_size.
 */

const FFN_FACTOR = 4;

/** kind -> axes. */
const AXES = {
  vector: ["T", "C"],
  heads: ["H", "T", "D"],
  matrix: ["H", "T", "T"],
  units: ["T", "F"],
  words: ["T", "V"],
};

const BLOCK = [
  ["ln1", "vector"],
  ["query", "heads"],
  ["key", "heads"],
  ["value", "heads"],
  ["scores", "matrix"],
  ["masked_scores", "matrix"],
  ["attention_probs", "matrix"],
  ["head_outputs", "heads"],
  ["heads_joined", "vector"],
  ["attention_update", "vector"],
  ["residual_after_attention", "vector"],
  ["ln2", "vector"],
  ["ffn_hidden", "units"],
  ["ffn_activation", "units"],
  ["ffn_update", "vector"],
  ["residual_after_ffn", "vector"],
];
const BEFORE = [
  ["token_embeddings", "vector"],
  ["position_embeddings", "vector"],
  ["residual_0", "vector"],
];
const AFTER = [
  ["final_hidden", "vector"],
  ["logits", "words"],
  ["vocabulary_probs", "words"],
];

/** Stages whose values lie between 0 and 1 and get the probability scale. */
const PROBABILITIES = new Set(["attention_probs", "vocabulary_probs"]);

/**
 * @param {object} config vocab_size, model_dim, num_heads, num_layers
 * @param {number} sequence how many positions the window has
 * @returns {{key: string, name: string, block: number|null, kind: string, shape: number[],
 *   axes: string[], isProbability: boolean}[]}
 */
export function stagesOf(config, sequence) {
  const sizes = {
    T: sequence,
    C: config.model_dim,
    H: config.num_heads,
    D: config.model_dim / config.num_heads,
    F: FFN_FACTOR * config.model_dim,
    V: config.vocab_size,
  };
  const stage = (name, kind, block) => ({
    key: block === null ? name : `blocks.${block}.${name}`,
    name,
    block,
    kind,
    axes: AXES[kind],
    shape: AXES[kind].map((axis) => sizes[axis]),
    isProbability: PROBABILITIES.has(name),
  });
  const blocks = Array.from({ length: config.num_layers }, (_, block) =>
    BLOCK.map(([name, kind]) => stage(name, kind, block)),
  );
  return [
    ...BEFORE.map(([name, kind]) => stage(name, kind, null)),
    ...blocks.flat(),
    ...AFTER.map(([name, kind]) => stage(name, kind, null)),
  ];
}

/** The value of `tensor` (nested arrays) at `index`; null is a masked score. */
export function valueAt(tensor, index) {
  return index.reduce((part, place) => part?.[place], tensor);
}

/** The position (row of the window) a cell belongs to: the looking one in a matrix. */
export function positionOf(kind, index) {
  return kind === "heads" || kind === "matrix" ? index[1] : index[0];
}
