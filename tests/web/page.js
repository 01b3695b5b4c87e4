/** What ui/page.py hands over, as far as the modules under test look at it. */

export const INITIAL = {
  view: viewOf([0, 1]),
  limits: { tokens: 256, text: 2000, count: 64 },
  engines: ["onnxruntime", "torch"],
  models: ["teaching"],
  panels: [{ id: "compare", shows_results: true }, { id: "lessons", shows_results: false }],
  languages: ["zh", "en"],
};

/** A view of `tokens`; its numbers are not a network's, no test looks at them. */
export function viewOf(tokens, more = {}) {
  return {
    model: { id: "teaching", words: ["我", "喜欢", "AI", "学习", "猫"], config: { context_length: 2 } },
    engine: "onnxruntime",
    tokens,
    ...more,
  };
}

/** Wait until everything that was already promised has been done. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await null;
}

/** A promise that is kept or broken from outside. */
export function deferred() {
  let resolve;
  let reject;
  const promise = new Promise((keep, refuse) => {
    resolve = keep;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
