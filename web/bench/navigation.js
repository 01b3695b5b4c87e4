/** Going from stop to stop, to a cell, to where an operand came from, and back. */

/**
 * @param {object} store
 * @param {() => void} onStop called when a person has gone to another stop
 */
export function createNavigation(store, onStop) {
  const trail = []; // where operands were followed from
  let target = null; // "cell", "card" or "answer": what is brought to the person once drawn

  function show(patch, focus) {
    target = focus;
    store.set(patch);
  }

  return {
    canGoBack: () => trail.length > 0,
    /** Open a stop of the book; none at either end. */
    go(stage) {
      if (!stage) return;
      trail.length = 0;
      show({ stage: stage.key, cell: null }, null);
      onStop();
    },
    /** Open the stop where the value called `key` is. */
    goTo(key) {
      trail.length = 0;
      show({ stage: key, cell: null }, null);
      onStop();
    },
    /** Open a cell a person chose. */
    open(key, cell, focus) {
      trail.length = 0;
      show({ stage: key, cell }, focus);
    },
    /** Open the cell an operand came from. */
    follow({ key, cell }) {
      const { stage, cell: from } = store.get();
      trail.push({ stage, cell: from });
      show({ stage: key, cell }, "cell");
    },
    back() {
      const place = trail.pop();
      if (place) show(place, "cell");
    },
    /** What is to be brought to the person now; asked once the cell is drawn. */
    takeTarget() {
      const taken = target;
      target = null;
      return taken;
    },
  };
}
