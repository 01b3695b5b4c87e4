/**
 * Layout of the argmax graph: cycles are at the right, and the windows that lead to them in columns
 * to the left. A window without predecessors has a row of its own, others are centred on theirs.
 */

/**
 * @param {{window: number[], after: number[], steps: number|null, cycle: number|null}[]} nodes
 * @param {number[][][]} cycles
 * @returns {{columns: number, rows: number, places: Map<string, {column: number, row: number}>}}
 *   keys are windows joined by "-"; nodes that reach no known cycle are left out
 */
export function walkLayout(nodes, cycles) {
  const known = nodes.filter(({ steps }) => steps !== null);
  const last = Math.max(0, ...known.map(({ steps }) => steps));
  const before = leadingTo(known);
  const places = new Map();
  let row = 0;

  /** Place all predecessors of `node`, then `node`; returns its row. */
  function place(node) {
    const sources = (before.get(keyOf(node.window)) ?? []).filter(({ steps }) => steps > 0);
    const rows = sources.map(place);
    const at = rows.length ? (rows[0] + rows.at(-1)) / 2 : row++;
    places.set(keyOf(node.window), { column: last - node.steps, row: at });
    return at;
  }

  const byKey = new Map(known.map((node) => [keyOf(node.window), node]));
  for (const cycle of cycles) {
    for (const window of cycle) place(byKey.get(keyOf(window)));
    row += 0.5; // a gap between the trees of different cycles
  }
  return { columns: last + 1, rows: Math.max(row - 0.5, 1), places };
}

export function keyOf(window) {
  return window.join("-");
}

function leadingTo(nodes) {
  const before = new Map();
  for (const node of nodes) {
    const after = keyOf(node.after);
    before.set(after, [...(before.get(after) ?? []), node]);
  }
  return before;
}
