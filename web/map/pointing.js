/** Pointing at cells and links shows their value; choosing one opens its stage. */

import { listenForKeys } from "../composing.js";
import { numberOrMark } from "../format.js";
import { cellPlace, stageTitle } from "./names.js";
import { valueAt } from "./stages.js";

const REACH = 10; // px kept clear around the pointer

export function createPointing({ board, views, tooltip, element, app, view }) {
  const cellOf = new Map();
  for (const stageView of views) {
    for (const cell of stageView.cells) cellOf.set(cell.element, { stage: stageView.stage, cell });
  }
  let current = null;

  const targetOf = (event) => event.target.closest?.(".mg-map-cell, .mg-map-link") ?? null;

  function textOf(target) {
    const found = cellOf.get(target);
    const { stage, index } = found ? { stage: found.stage, index: found.cell.current } : linkPlace(target);
    const value = valueAt(view().trace[stage.key], index);
    return {
      title: stageTitle(stage, board, app.t),
      place: cellPlace(stage, index, view(), app.t),
      value: numberOrMark(value),
    };
  }

  function linkPlace({ dataset }) {
    const key = `blocks.${dataset.block}.attention_probs`;
    return {
      stage: views.find((one) => one.stage.key === key).stage,
      index: [dataset.head, dataset.to, dataset.from].map(Number),
    };
  }

  /** `event`: where the pointer is, if it is on a link, whose middle may be far away. */
  function show(target, event) {
    current = target;
    const isLink = event && !cellOf.has(target);
    const mark = isLink ? around(event) : target.getBoundingClientRect();
    tooltip.show(textOf(target), mark, element);
  }

  function hide() {
    current = null;
    tooltip.hide();
  }

  element.addEventListener("pointerover", (event) => {
    const target = targetOf(event);
    if (target) show(target, event);
    else if (current && current !== document.activeElement) hide();
  });
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focusin", (event) => {
    const target = targetOf(event);
    if (target) show(target);
    else hide();
  });
  element.addEventListener("focusout", hide);
  listenForKeys(element, (event) => {
    if (event.key === "Escape") hide();
    const target = targetOf(event);
    if (!target || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    choose(target);
  });
  element.addEventListener("click", (event) => {
    const heading = event.target.closest?.(".mg-map-heading");
    if (heading) {
      const { stage } = views.find((one) => one.heading === heading);
      app.store.set({ stage: stage.key, cell: null });
      return;
    }
    const target = targetOf(event);
    if (target) choose(target, event);
  });

  function choose(target, event) {
    const found = cellOf.get(target);
    const { stage, index } = found ? { stage: found.stage, index: found.cell.current } : linkPlace(target);
    app.store.set({ stage: stage.key, cell: [...index] });
    if (event) hide(); // its working says it all, and more cells can be seen
  }

  return {
    /** After the values have changed. */
    refresh() {
      if (current?.isConnected) tooltip.retell(textOf(current));
    },
  };
}

/** A small rectangle around the pointer. */
function around({ clientX, clientY }) {
  const [left, top] = [clientX - REACH, clientY - REACH];
  return { left, top, right: clientX + REACH, width: 2 * REACH, height: 2 * REACH };
}
