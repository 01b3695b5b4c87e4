/** Which words have a place in a column of scores: with more words than slots, the most probable. */

/** Each position's word ids in the order of their rows. */
export function ordersOf(view, board) {
  const ids = view.model.words.map((_, id) => id);
  return view.trace.vocabulary_probs.map((row) =>
    board.sizes.slots < ids.length ? [...ids].sort((one, other) => row[other] - row[one]) : ids,
  );
}

/** A function from a cell of the layout to its index in the trace. */
export function indexIn(orders) {
  return ({ index, slot }) => (index.at(-1) === null ? [index[0], orders[index[0]][slot]] : index);
}
