/**
 * The values that an engine gives out, in the order of the computation; written from
 * model/values.py by `python -m tools.network_values`.
 *
 * name: without its block; axes: without batch, T sequence, C model_dim, H num_heads, D head_size,
 * F ffn units, V vocab_size; reads: the values it is computed from at its own position, looksAt: at
 * every position it may see; BEFORE stands for the residual stream as the block meets it.
 */

export const BEFORE = "before";

export const ENTRANCE = [
  { name: "token_embeddings", axes: ["T", "C"], reads: [], looksAt: [], isProbability: false },
  { name: "position_embeddings", axes: ["T", "C"], reads: [], looksAt: [], isProbability: false },
  { name: "residual_0", axes: ["T", "C"], reads: ["token_embeddings", "position_embeddings"], looksAt: [], isProbability: false },
];

export const BLOCK = [
  { name: "ln1", axes: ["T", "C"], reads: ["before"], looksAt: [], isProbability: false },
  { name: "query", axes: ["H", "T", "D"], reads: ["ln1"], looksAt: [], isProbability: false },
  { name: "key", axes: ["H", "T", "D"], reads: ["ln1"], looksAt: [], isProbability: false },
  { name: "value", axes: ["H", "T", "D"], reads: ["ln1"], looksAt: [], isProbability: false },
  { name: "scores", axes: ["H", "T", "T"], reads: ["query"], looksAt: ["key"], isProbability: false },
  { name: "masked_scores", axes: ["H", "T", "T"], reads: ["scores"], looksAt: [], isProbability: false },
  { name: "attention_probs", axes: ["H", "T", "T"], reads: ["masked_scores"], looksAt: [], isProbability: true },
  { name: "head_outputs", axes: ["H", "T", "D"], reads: ["attention_probs"], looksAt: ["value"], isProbability: false },
  { name: "heads_joined", axes: ["T", "C"], reads: ["head_outputs"], looksAt: [], isProbability: false },
  { name: "attention_update", axes: ["T", "C"], reads: ["heads_joined"], looksAt: [], isProbability: false },
  { name: "residual_after_attention", axes: ["T", "C"], reads: ["before", "attention_update"], looksAt: [], isProbability: false },
  { name: "ln2", axes: ["T", "C"], reads: ["residual_after_attention"], looksAt: [], isProbability: false },
  { name: "ffn_hidden", axes: ["T", "F"], reads: ["ln2"], looksAt: [], isProbability: false },
  { name: "ffn_activation", axes: ["T", "F"], reads: ["ffn_hidden"], looksAt: [], isProbability: false },
  { name: "ffn_update", axes: ["T", "C"], reads: ["ffn_activation"], looksAt: [], isProbability: false },
  { name: "residual_after_ffn", axes: ["T", "C"], reads: ["residual_after_attention", "ffn_update"], looksAt: [], isProbability: false },
];

export const END = [
  { name: "final_hidden", axes: ["T", "C"], reads: ["before"], looksAt: [], isProbability: false },
  { name: "logits", axes: ["T", "V"], reads: ["final_hidden"], looksAt: [], isProbability: false },
  { name: "vocabulary_probs", axes: ["T", "V"], reads: ["logits"], looksAt: [], isProbability: true },
];
