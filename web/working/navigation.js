/** Going from stage to stage, to a cell, to where an operand came from, and back. */

const NETWORK_KEYS = ["tokens", "model", "edits", "switches"];

/**
 * What `takeTarget` tells: "stage" (its title comes into view), "card" (the working does),
 * "cell" (the keyboard goes to the cell) or "answer" (to the field for it).
 */
export function createNavigation(store) {
  const trail = []; // where operands were followed from
  let target = null;
  let isOwn = false;

  function show(patch, next) {
    target = next;
    isOwn = true;
    store.set(patch);
    isOwn = false;
  }

  // What is chosen on the map, say, opens here; a lesson that sets a whole scene does not.
  store.subscribe((state, previous) => {
    const isChosen = state.stage !== previous.stage || state.cell !== previous.cell;
    const isScene = NETWORK_KEYS.some((key) => state[key] !== previous[key]);
    if (isOwn || !isChosen || isScene) return;
    trail.length = 0;
    target = state.cell ? "card" : "stage";
  });

  return {
    canGoBack: () => trail.length > 0,
    /** Open a stage of the book; none at either end. */
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
    /** Open a cell a person chose. */
    open(key, cell, next) {
      trail.length = 0;
      show({ stage: key, cell }, next);
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
    /** What is to be brought to the person now; asked once all is drawn. */
    takeTarget() {
      const taken = target;
      target = null;
      return taken;
    },
  };
}
