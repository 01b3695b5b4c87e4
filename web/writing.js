/** The user's edits of the sentence. Each first ends a running generation. */

export function createWriting({ store, history, generator, alert, initial, t }) {
  const begin = () => {
    generator.stop();
    alert.clear("input");
  };
  return {
    /** Append words by id. */
    append(ids) {
      begin();
      const tokens = [...store.get().tokens, ...ids];
      const limit = initial.limits.tokens;
      if (tokens.length > limit) {
        alert.show(t("error.token_limit", { length: tokens.length, limit }));
      } else {
        store.set({ tokens });
      }
    },
    clear() {
      begin();
      if (store.get().tokens.length) store.set({ tokens: [] });
    },
    undo() {
      begin();
      history.undo();
    },
  };
}
