/** The user's changes to the network, edited weights and switches, and undoing them. */

/** How many weights are edited. */
export function countEdits(edits) {
  return Object.values(edits).reduce((sum, cells) => sum + Object.keys(cells).length, 0);
}

/** How many switches are not as they were, dropout among them. */
export function countSwitches(switches) {
  const off = Object.values(switches).filter((value) => value === false).length;
  return off + (switches.dropout > 0 ? 1 : 0);
}

/** `switches` with `name` switched over. */
export function toggled(switches, name) {
  const { [name]: present, ...others } = switches;
  return present === false ? others : { ...others, [name]: false };
}

/** `edits` with `typed` on top; a typed null is the original again, and no edit. */
export function merged(edits, typed) {
  const result = { ...edits };
  for (const [parameter, cells] of Object.entries(typed)) {
    const all = Object.entries({ ...edits[parameter], ...cells }).filter(([, value]) => value !== null);
    if (all.length) result[parameter] = Object.fromEntries(all);
    else delete result[parameter];
  }
  return result;
}

/** The edits within one table: a parameter's rows from `first`, `count` of them. */
export function editsWithin(edits, { parameter, first, count }) {
  return Object.fromEntries(
    Object.entries(edits[parameter] ?? {}).filter(([at]) => {
      const row = Number(at.split(",")[0]);
      return row >= first && row < first + count;
    }),
  );
}

/** `edits` without those of one table. */
export function editsWithout(edits, table) {
  const { [table.parameter]: cells = {}, ...others } = edits;
  const gone = editsWithin(edits, table);
  const kept = Object.entries(cells).filter(([at]) => !(at in gone));
  return kept.length ? { ...others, [table.parameter]: Object.fromEntries(kept) } : others;
}
