/**
 * From one model's values to another's: what both have moves from its old place and colour to the
 * new one, what only the new one has grows in. The page has its final values at once; this is
 * drawn over them and leaves nothing behind. Digits fade in: a number between two models' numbers
 * is no model's.
 */

const DURATION = 380; // ms
const GROWN_FROM = 0.9;
const MOST_CELLS = 1200; // more would stutter: they keep their places and fade in whole
const EASING = "cubic-bezier(0.3, 0, 0.2, 1)";

/**
 * What of a drawn board is remembered until the next one is drawn.
 *
 * @param {object} parts of a board view: `views` of stages, `links`, `answer`
 * @param {object} view the values it shows
 */
export function remembered({ views, links, answer }, view) {
  return {
    sequence: view.window.length,
    stages: new Map(views.map(({ stage, coloured }) => [stage.key, { box: stage.box, colours: coloured() }])),
    links: new Map(links.all().filter((link) => link.shape()).map((link) => [link.name, link.shape()])),
    bars: new Map(answer.bars().map(({ id, share }) => [id, share])),
  };
}

/** Run the change from what was `remembered` to what is drawn now. */
export function morph({ views, links, answer, backdrop }, before, view) {
  const isSameLength = before.sequence === view.window.length;
  const count = views.reduce((sum, { cells }) => sum + cells.length, 0);
  for (const stageView of views) {
    const old = isSameLength ? before.stages.get(stageView.stage.key) : undefined;
    if (old) moveStage(stageView, old, count <= MOST_CELLS);
    else grow(stageView.element);
  }
  if (before.stages.size !== views.length) run(backdrop.element, { opacity: [0, 1] });
  for (const link of links.all()) moveLink(link, isSameLength ? before.links.get(link.name) : undefined);
  for (const bar of answer.bars()) moveBar(bar, before.bars.get(bar.id));
}

function moveStage({ stage, cells, grid, heading }, { box, colours }, isLight) {
  run(heading, { translate: [shift(box, stage.box), "0 0"] });
  if (grid && box.w && box.h) {
    const scale = `${box.w / stage.box.w} ${box.h / stage.box.h}`;
    run(grid, { translate: [shift(box, stage.box), "0 0"], scale: [scale, "1 1"], transformOrigin: ["0 0", "0 0"] });
  }
  for (const cell of isLight ? cells : []) {
    const colour = colours.get(`${cell.index}`);
    const now = cell.element.style.getPropertyValue("--cell");
    if (colour === undefined || colour === now) continue;
    run(cell.rect, { fill: [colour, now] });
    if (cell.text) run(cell.text, { opacity: [0, 1] });
  }
}

function shift(from, to) {
  return `${from.x - to.x}px ${from.y - to.y}px`;
}

function grow(element) {
  run(element, { opacity: [0, 1], scale: [GROWN_FROM, 1] });
}

function moveLink(link, old) {
  const shape = link.shape();
  if (!shape?.visible) return;
  if (!old?.visible) {
    for (const path of link.paths) run(path, { opacity: [0, 1] });
    return;
  }
  const d = [`path("${old.d}")`, `path("${shape.d}")`];
  const [band, core] = link.paths;
  run(band, { d, strokeWidth: [old.width, shape.width], strokeOpacity: [old.opacity, shape.opacity] });
  run(core, { d });
}

function moveBar({ bar, share }, old) {
  if (old !== undefined && old !== share) run(bar, { width: [`${old * 100}%`, `${share * 100}%`] });
}

function run(element, keyframes) {
  element.animate?.(keyframes, { duration: DURATION, easing: EASING });
}
