/** Pointing at cells and links shows their value; choosing one opens its stage. */

import { listenForKeys } from "../composing.js";
import { numberOrMark } from "../format.js";
import { cellPlace, stageTitle } from "./names.js";
import { valueAt } from "./stages.js";

const REACH = 10; // px kept clear around the pointer

/** The cells that have an element of their own, by it. */
function cellsByElement(views) {
  return new Map(
    views.flatMap(({ stage, cells }) => cells.filter(({ element }) => element).map((cell) => [cell.element, { stage, cell }])),
  );
}

export function createPointing({ board, views, tooltip, element, app, view, rings }) {
  const viewOf = new Map(views.map((stageView) => [stageView.element, stageView]));
  const cellOf = cellsByElement(views);
  let current = null; // {target, stage, cell or index}, as `aimed` gives it

  /** What an event is about: a cell or a link; null elsewhere. */
  function aimed(event) {
    const target = event.target.closest?.(".mg-map-cell, .mg-map-link, .mg-map-strip");
    if (!target) return null;
    const found = cellOf.get(target);
    if (found) return { target, ...found };
    if (target.matches(".mg-map-link")) return { target, ...linkPlace(target, views) };
    const stageView = viewOf.get(target.closest(".mg-map-stage"));
    const number = stageView.numberOf(target);
    const cell = number < 0 ? stageView.cellUnder(event) : stageView.cells[number];
    return cell && { target, stage: stageView.stage, cell, markOf: stageView.markOf };
  }

  const indexOf = ({ cell, index }) => cell?.current ?? index;

  function textOf(aim) {
    const { stage } = aim;
    const value = valueAt(view().trace[stage.key], indexOf(aim));
    return {
      title: stageTitle(stage, board, app.t),
      place: cellPlace(stage, indexOf(aim), view(), app.t),
      value: numberOrMark(value),
    };
  }

  /** `event`: where the pointer is, if it is on a link, whose middle may be far away. */
  function show(aim, event) {
    if (aim.cell && aim.cell === current?.cell && event) return;
    current = aim;
    const isLink = event && !aim.cell;
    rings.point(aim.markOf && event ? aim.cell : null);
    const mark = isLink ? around(event) : (aim.markOf?.(aim.cell) ?? aim.target.getBoundingClientRect());
    tooltip.show(textOf(aim), mark, element);
  }

  function hide() {
    current = null;
    rings.point(null);
    tooltip.hide();
  }

  const point = (event) => {
    const aim = aimed(event);
    if (aim) show(aim, event);
    else if (current && current.target !== document.activeElement) hide();
  };
  element.addEventListener("pointerover", point);
  // Inside a picture the pointer goes from cell to cell without leaving it.
  element.addEventListener("pointermove", (event) => event.target.closest?.(".mg-map-strip") && point(event));
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focusin", (event) => {
    const aim = aimed(event);
    if (aim) show(aim);
    else hide();
  });
  element.addEventListener("focusout", hide);
  listenForKeys(element, (event) => {
    if (event.key === "Escape") hide();
    if (!["Enter", " "].includes(event.key)) return;
    const aim = aimed(event);
    if (!aim) return;
    event.preventDefault();
    choose(aim);
  });
  element.addEventListener("click", (event) => {
    const heading = event.target.closest?.(".mg-map-heading");
    if (heading) {
      const { stage } = views.find((one) => one.heading === heading);
      app.store.set({ stage: stage.key, cell: null });
      return;
    }
    const aim = aimed(event);
    if (aim) choose(aim, event);
  });

  function choose(aim, event) {
    app.store.set({ stage: aim.stage.key, cell: [...indexOf(aim)] });
    if (event) hide(); // its working says it all, and more cells can be seen
  }

  return {
    /** After the values have changed. */
    refresh() {
      if (current?.target.isConnected) tooltip.retell(textOf(current));
    },
  };
}

function linkPlace({ dataset }, views) {
  const key = `blocks.${dataset.block}.attention_probs`;
  return {
    stage: views.find((one) => one.stage.key === key).stage,
    index: [dataset.head, dataset.to, dataset.from].map(Number),
  };
}

/** A small rectangle around the pointer. */
function around({ clientX, clientY }) {
  const [left, top] = [clientX - REACH, clientY - REACH];
  return { left, top, right: clientX + REACH, width: 2 * REACH, height: 2 * REACH };
}
