/**
 * What the page shows until the first numbers of an address come, where those that came with the
 * page are of another sentence or model: its texts and its frame, and no number.
 */

/**
 * @param {object} first the view that came with the page
 * @param {object} state what the address asks for
 * @returns {object} a view without numbers; `isAwaited`, and no words where they are not known yet
 */
export function skeletonOf(first, { tokens, model }) {
  const isSameModel = first.model.id === model;
  return {
    ...first,
    isAwaited: true,
    model: { ...first.model, words: isSameModel ? first.model.words : [] },
    tokens: isSameModel ? tokens : [],
    window: [],
    trace: null,
    baseline: null,
    logits: null,
    probabilities: null,
  };
}
