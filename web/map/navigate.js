/**
 * Where an arrow key leads on the map. A place is {stage: number, cell: number|null}: the
 * stage's and the cell's number on the board; null is the stage's heading.
 */

const ARROWS = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** The place `key` leads to from `place`; null when the key is none of the map's. */
export function nextPlace(board, place, key) {
  const last = board.stages.length - 1;
  if (key === "Home") return { stage: 0, cell: null };
  if (key === "End") return { stage: last, cell: null };
  const arrow = ARROWS[key];
  if (!arrow) return null;
  return place.cell === null ? fromHeading(board, place, arrow) : fromCell(board, place, arrow);
}

function fromHeading(board, place, arrow) {
  const step = arrow.x || (board.downwards && arrow.y < 0 ? -1 : 0);
  if (step) return { stage: within(board, place.stage + step), cell: null };
  const hasCells = board.stages[place.stage].cells.length > 0;
  return arrow.y > 0 && hasCells ? { stage: place.stage, cell: 0 } : place;
}

function fromCell(board, place, arrow) {
  const { cells } = board.stages[place.stage];
  const neighbour = nearest(cells, place.cell, arrow);
  if (neighbour !== null) return { stage: place.stage, cell: neighbour };
  if (arrow.y < 0) return { stage: place.stage, cell: null };
  const ahead = board.downwards ? arrow.y : arrow.x;
  if (!ahead) return place;
  const stage = place.stage + ahead;
  if (!board.stages[stage]) return place;
  return { stage, cell: counterpart(board, place, stage) };
}

/** The cell of the same stage that comes next in the arrow's direction. */
function nearest(cells, from, arrow) {
  const start = middle(cells[from]);
  let best = null;
  let shortest = Infinity;
  cells.forEach((cell, number) => {
    const { x, y } = middle(cell);
    const forward = (x - start.x) * arrow.x + (y - start.y) * arrow.y;
    const aside = Math.abs(arrow.x ? y - start.y : x - start.x);
    const reach = arrow.x ? cell.h / 2 : cell.w / 2;
    if (forward < 0.5 || aside > reach || forward >= shortest) return;
    shortest = forward;
    best = number;
  });
  return best;
}

/** The cell of another stage for the same position, as far down in its vector. */
function counterpart(board, place, stage) {
  const here = samePosition(board.stages[place.stage], place.cell);
  const there = board.stages[stage];
  if (!there.cells.length) return null;
  const position = positionAt(board.stages[place.stage], place.cell);
  const members = there.cells
    .map((_, number) => number)
    .filter((number) => positionAt(there, number) === position);
  const rank = board.downwards ? 0 : here.indexOf(place.cell);
  return members[Math.min(rank, members.length - 1)];
}

function samePosition(stage, cell) {
  const position = positionAt(stage, cell);
  return stage.cells
    .map((_, number) => number)
    .filter((number) => positionAt(stage, number) === position);
}

function positionAt(stage, cell) {
  const { index } = stage.cells[cell];
  return stage.kind === "heads" || stage.kind === "matrix" ? index[1] : index[0];
}

function middle({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}

function within(board, stage) {
  return Math.max(0, Math.min(stage, board.stages.length - 1));
}
