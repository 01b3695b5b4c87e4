/**
 * Undo for the sentence, whether it was changed here or in a panel. A sentence in other words comes
 * back with the model of those words.
 */

const KEPT = 500;

export function createHistory({ store, vocabularies }) {
  const past = [];
  let undoing = false;

  store.subscribe((state, previous) => {
    if (undoing || state.tokens === previous.tokens) return;
    const { tokens, drawn, model, edits, switches, compare } = previous;
    const isOfOtherWords = vocabularies.differ(model, state.model);
    past.push({ tokens, drawn, ...(isOfOtherWords ? { model, edits, switches, compare } : {}) });
    if (past.length > KEPT) past.shift();
  });

  return {
    /** Go back one change; right after a reload, take the last word away. */
    undo() {
      const { tokens, drawn } = store.get();
      const before = past.pop() ?? {
        tokens: tokens.slice(0, -1),
        drawn: Math.max(0, drawn - 1),
      };
      undoing = true;
      store.set(before);
      undoing = false;
    },
    canUndo: () => past.length > 0 || store.get().tokens.length > 0,
  };
}
