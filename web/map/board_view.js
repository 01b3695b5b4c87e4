/** The drawn board: all views of one structure, pointing, choosing, keyboard and following. */

import { el, setAttribute } from "../dom.js";
import { prefersStillness } from "../stillness.js";
import { createBackdrop } from "./backdrop.js";
import { cellAt, cellIn } from "./cell_at.js";
import { createFollow } from "./follow_view.js";
import { createKeyboard } from "./keyboard.js";
import { createLegend } from "./legend_view.js";
import { createLinkViews } from "./link_view.js";
import { createOperands } from "./operands_view.js";
import { indexIn, ordersOf } from "./orders.js";
import { createPointing } from "./pointing.js";
import { createRings } from "./rings.js";
import { mapScale } from "./scale.js";
import { createStageView } from "./stage_view.js";
import { createStripView } from "./strip_view.js";
import { morph, remembered } from "./morph.js";
import { positionOf } from "./stages.js";
import { createSwitchedOff } from "./switched_off.js";
import { createTooltip } from "./tooltip.js";
import { createWords } from "./words_view.js";

const MOST_MOVING = 80; // links: two blocks, two heads, four words
const SMALLEST_RULED = 6; // px: a lower cell has no line around it

/** @param {object} answer the next word's bars, where the road ends: see bars.js */
export function createBoardView(board, app, answer) {
  const parts = createParts(board, app);
  const { views, tooltip, backdrop, links } = parts;
  const follow = createFollow(parts, board);
  const switchedOff = createSwitchedOff(parts);
  const words = createWords(board, app, {
    onPoint: (position) => follow.point(position, latest.view),
    onPin: (position) => {
      follow.pin(position, latest.view);
      links.update(latest.view, looking());
      words.update(latest.view, follow.pinned());
    },
  });
  const legend = createLegend(board, app);
  const { element, plane } = assemble(board, { ...parts, words, bars: answer.element, legend });
  const pointing = createPointing({ board, views, tooltip, element, app, view: () => latest.view, rings: parts.rings });
  const keyboard = createKeyboard(board, views, plane, parts.rings);
  let latest = null;
  let chosen = null;
  const moving = { ...parts, answer };
  /** The position whose attention is shown where there is no room for everyone's. */
  const looking = () => follow.pinned() ?? positionIn(board, latest.state) ?? board.sequence - 1;

  return {
    element,
    /** What a film shows and hides. */
    parts: { board, plane, views, backdrop, words: words.elements, answer },
    /** Where the board scrolls if there is less room than it needs. */
    scroller: plane.parentElement,
    /** The rectangle of the chosen cell, or null. */
    chosen: () => chosen,
    /** Show what the open working reads: {key, cell}[]. */
    markOperands(refs) {
      parts.operands.show(refs, chosen);
    },
    pointOperand: parts.operands.point,
    cellAt: (ref) => cellAt(views, ref),
    /** Ring the cell {key, cell} that is to be chosen, or none; its rectangle. */
    markTarget(ref) {
      const cell = ref && cellAt(views, ref);
      parts.rings.aim(cell);
      return cell;
    },
    focusedPlace: keyboard.focusedPlace,
    focusPlace: keyboard.focusPlace,
    /** After a change between light and dark. */
    repaint() {
      for (const view of views) view.repaint();
    },
    /** What `morphFrom` needs of this board and its values, later. */
    remembered: () => remembered(moving, latest.view),
    /** Show the change from another model's values, unless the reader prefers stillness. */
    morphFrom: (before) => {
      if (!prefersStillness()) morph(moving, before, latest.view);
    },
    update(state, view) {
      const isNewView = latest?.view !== view;
      latest = { state, view };
      const orders = ordersOf(view, board);
      const context = {
        scale: mapScale(view.trace),
        naming: `${state.lang} ${view.window} ${view.model.words}`,
        indexOf: indexIn(orders),
      };
      backdrop.update(view, orders);
      switchedOff.update(state);
      for (const stageView of views) stageView.update(state, view, context);
      links.update(view, looking());
      words.update(view, follow.pinned());
      legend.update(context.scale, Boolean(view.baseline));
      if (isNewView) follow.refresh(view);
      const before = chosen;
      chosen = markOpen(views, parts.rings, state);
      if (chosen !== before) parts.operands.show([], chosen); // until its working has come
      pointing.refresh();
    },
  };
}

function createParts(board, app) {
  const backdrop = createBackdrop(board, app);
  const views = board.stages.map((stage) => {
    const create = board.isPicture && stage.cells.length ? createStripView : createStageView;
    return create(stage, board, app);
  });
  return {
    backdrop,
    views,
    links: createLinkViews(board, backdrop.links),
    operands: createOperands(board, views),
    tooltip: createTooltip(),
    rings: createRings(board),
  };
}

function assemble(board, { backdrop, views, tooltip, rings, operands, words, bars, legend }) {
  const inCorner = board.legend !== null;
  if (inCorner) {
    const { x, y, w } = board.legend;
    Object.assign(legend.element.style, { left: `${x}px`, top: `${y}px`, width: `${w}px` });
    legend.element.classList.add("mg-map-legend-corner");
  }
  const { x, y, w, h } = board.answer;
  Object.assign(bars.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, minHeight: `${h}px` });
  const plane = el(
    "div",
    {
      class: [
        "mg-map-board",
        board.sizes.isTight && "mg-map-tight",
        board.sizes.lies && "mg-map-lying",
        board.sizes.row < SMALLEST_RULED && "mg-map-fine",
        isLight(board) && "mg-map-moving",
      ]
        .filter(Boolean)
        .join(" "),
      style: {
        width: `${board.width}px`,
        height: `${board.height}px`,
        "--mg-map-k": board.sizes.k,
        "--mg-map-wire": `${board.sizes.wire}px`,
      },
    },
    backdrop.element,
    words.elements,
    views.map((view) => view.element),
    bars,
    operands.element,
    rings.element,
    inCorner ? legend.element : null,
  );
  const scroller = el("div", { class: "mg-map-scroll" }, plane);
  const element = el(
    "div",
    { class: "mg-map-whole" },
    scroller,
    inCorner ? null : legend.element,
    tooltip.element,
  );
  return { element, plane };
}

function markOpen(views, rings, { stage, cell }) {
  let ringed = null;
  for (const view of views) {
    const isOpen = view.stage.key === stage;
    view.element.classList.toggle("mg-map-open", isOpen);
    setAttribute(view.heading, "aria-pressed", String(isOpen));
    const chosen = (isOpen && cell !== null && cellIn(view, cell)) || null;
    view.choose(chosen);
    ringed = chosen ?? ringed;
  }
  rings.choose(ringed);
  return ringed;
}

/** The position of the chosen cell, or null. */
function positionIn(board, { stage, cell }) {
  const found = board.stages.find(({ key }) => key === stage);
  return found && cell ? positionOf(found.kind, cell) : null;
}

/** Whether there are few enough parts to move them without a stutter. */
function isLight(board) {
  return board.anchors.length <= MOST_MOVING;
}
