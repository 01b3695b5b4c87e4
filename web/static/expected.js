/** PyTorch's results for every prompt of the lesson's model, from `expected.json`. */

/** `expected(model, window)`: see server.js; "missing" where no values are stored. */
export function createExpected(address) {
  let loading = null;

  async function load() {
    const { weights, prompts } = await (await fetch(address)).json();
    return { weights, byIds: new Map(prompts.map((prompt) => [prompt.token_ids.join(), prompt.values])) };
  }

  return async (model, window) => {
    loading ??= load();
    try {
      const { weights, byIds } = await loading;
      const values = weights === model ? byIds.get(window.join()) : undefined;
      return values ? { state: "ready", values } : { state: "missing" };
    } catch (error) {
      loading = null; // the next call retries
      throw error;
    }
  };
}
