/** The drawn cell of the value `key` at the index `cell`, among the views of the stages, or null. */
export function cellAt(views, { key, cell }) {
  const view = views.find(({ stage }) => stage.key === key);
  return (view && cellIn(view, cell)) ?? null;
}

/** The cell of a stage's view at the index `wanted`. */
export function cellIn({ cells }, wanted) {
  return cells.find(({ current }) => current?.length === wanted.length && current.every((place, axis) => place === wanted[axis]));
}
