/** Navigation between stages and cells, to the source of an operand, and back. */

const NETWORK_KEYS = ["tokens", "model", "edits", "switches"];

/**
 * `takeTarget` returns "stage" or "card" (show the top), "cell" (an operand was followed: focus
 * the working's title), "answer" (focus the answer field) or null.
 */
export function createNavigation(store) {
  const trail = []; // places from which operands were followed
  let target = null;
  let isOwn = false;

  function show(patch, next) {
    target = next;
    isOwn = true;
    store.set(patch);
    isOwn = false;
  }

  // A choice made elsewhere, such as on the map, opens here; a lesson step that sets the whole state does not.
  store.subscribe((state, previous) => {
    const isChosen = state.stage !== previous.stage || state.cell !== previous.cell;
    const isScene = NETWORK_KEYS.some((key) => state[key] !== previous[key]);
    if (isOwn || !isChosen || isScene) return;
    trail.length = 0;
    target = state.cell ? "card" : "stage";
  });

  return {
    canGoBack: () => trail.length > 0,
    /** Open a stage of the book; undefined at either end. */
    go(stage) {
      if (!stage) return;
      trail.length = 0;
      show({ stage: stage.key, cell: null }, "stage");
    },
    /** Open the stage where the value called `key` is. */
    goTo(key) {
      trail.length = 0;
      show({ stage: key, cell: null }, "stage");
    },
    /** Open a cell the user chose. */
    open(key, cell, next) {
      trail.length = 0;
      show({ stage: key, cell }, next);
    },
    /** Open the source cell of an operand. */
    follow({ key, cell }) {
      const { stage, cell: from } = store.get();
      trail.push({ stage, cell: from });
      show({ stage: key, cell }, "cell");
    },
    back() {
      const place = trail.pop();
      if (place) show(place, "cell");
    },
    /** What to scroll to or focus now, cleared by the call; called after everything is drawn. */
    takeTarget() {
      const taken = target;
      target = null;
      return taken;
    },
  };
}
