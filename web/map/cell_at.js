/** The drawn cell of the value `key` at the index `cell`, among the views of the stages, or null. */
export function cellAt(views, { key, cell }) {
  const cells = views.find(({ stage }) => stage.key === key)?.cells ?? [];
  return cells.find(({ current }) => `${current}` === `${cell}`) ?? null;
}
