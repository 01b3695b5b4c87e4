/** A view with every tensor of a network, as the server sends it; its numbers are made up. */

import { stagesOf } from "../../web/map/stages.js";

export const WORDS = ["我", "喜欢", "AI", "学习", "猫"];
export const TEACHING = {
  vocab_size: 5,
  context_length: 2,
  model_dim: 4,
  num_heads: 2,
  num_layers: 1,
};

export function viewOf(window, { config = TEACHING, words = WORDS, shift = 0 } = {}) {
  const trace = {};
  for (const { key, name, shape } of stagesOf(config, window.length)) {
    let count = 0;
    trace[key] = filled(shape, (index) => {
      count += 1;
      if (name === "masked_scores" && index.at(-1) > index.at(-2)) return null;
      if (name === "attention_probs") return index.at(-1) > index.at(-2) ? 0 : 1 / (index.at(-2) + 1);
      if (name === "vocabulary_probs") return (index.at(-1) + 1) / 100 + shift / 100;
      return ((count * 37) % 101) / 50 - 1 + shift;
    });
  }
  return {
    model: { id: "teaching", words, config },
    engine: "onnxruntime",
    tokens: window,
    window,
    window_start: 0,
    trace,
    baseline: null,
    logits: trace.logits.at(-1),
    probabilities: trace.vocabulary_probs.at(-1),
  };
}

function filled([size, ...rest], value, index = []) {
  return Array.from({ length: size }, (_, place) =>
    rest.length ? filled(rest, value, [...index, place]) : value([...index, place]),
  );
}
