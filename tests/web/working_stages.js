/** What `network_stages` tells of the teaching model, as far as the modules under test need it. */

const texts = (name) => ({ zh: `${name} 中`, en: name });

const STAGES = [
  {
    key: "residual_0",
    name: "residual_0",
    block: null,
    number: 1,
    reads: [],
    values: [
      { key: "token_embeddings", name: "token_embeddings", axes: ["T", "C"], batch: true, traced: true },
      { key: "residual_0", name: "residual_0", axes: ["T", "C"], batch: true, traced: true },
    ],
    weights: [
      { key: "token_embedding.weight", name: "token_embedding.weight", axes: ["V", "C"], shape: [5, 2] },
    ],
  },
  {
    key: "blocks.0.scores",
    name: "scores",
    block: 0,
    number: 2,
    reads: [],
    values: [
      { key: "blocks.0.scores.products", name: "products", axes: ["H", "T", "T"], batch: false, traced: false },
      { key: "blocks.0.scores", name: "scores", axes: ["H", "T", "T"], batch: true, traced: true },
    ],
    weights: [],
  },
];

export const TOLD = {
  stages: STAGES,
  sizes: { B: 1, C: 2, H: 2, D: 1, F: 8, V: 5, L: 2, "3C": 6 },
  texts: {
    stages: Object.fromEntries(
      STAGES.map(({ name }) => [name, { title: texts(name), sentence: texts(`${name} told`) }]),
    ),
    values: Object.fromEntries(
      ["token_embeddings", "residual_0", "products", "scores", "mean"].map((name) => [name, texts(name)]),
    ),
    weights: { "token_embedding.weight": texts("token table") },
  },
};

export const TRACE = {
  token_embeddings: [[0.2, -0.1], [0.6, 0.3]],
  residual_0: [[0.25, 0], [0.5, 0.3]],
  "blocks.0.scores": [[[1.2167, -0.526], [-0.526, 1.1511]], [[1.6112, -1.6427], [-1.6427, 1.6768]]],
};

export const VALUES = {
  "token_embedding.weight": [[0.2, -0.1], [0.6, 0.3], [0, 0], [0, 0], [0, 0]],
  "blocks.0.scores.products": [[[1.7, -0.74], [-0.74, 1.63]], [[2.3, -2.3], [-2.3, 2.4]]],
};

const piece = (text, key, cell) => ({ text, ref: key ? { key, cell } : null });

/** A working of residual_0[1, 0], as `stage_values` answers it. */
export const WORKING = {
  key: "residual_0",
  cell: [1, 0],
  stage: "residual_0",
  lines: [
    {
      label: "residual_0",
      target: { key: "residual_0", cell: [1, 0] },
      expression: "0.6 + (−0.1)",
      relation: "=",
      result: "0.5000",
      pieces: [
        piece("0.6", "token_embeddings", [1, 0]),
        piece(" + ("),
        piece("−0.1", "position_embedding.gate", []),
        piece(")"),
      ],
      notes: [{ key: "digits", values: { decimals: 4, plain: "0.4999", result: "0.5000" } }],
    },
  ],
};
