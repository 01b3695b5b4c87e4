/** Pointing at cells and links shows their value; choosing one opens its stage. */

import { number } from "../format.js";
import { cellPlace, stageTitle } from "./names.js";
import { valueAt } from "./stages.js";

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
      value: number(value),
    };
  }

  function linkPlace({ dataset }) {
    const key = `blocks.${dataset.block}.attention_probs`;
    return {
      stage: views.find((one) => one.stage.key === key).stage,
      index: [dataset.head, dataset.to, dataset.from].map(Number),
    };
  }

  function show(target) {
    current = target;
    tooltip.show(textOf(target), target, element);
  }

  function hide() {
    current = null;
    tooltip.hide();
  }

  element.addEventListener("pointerover", (event) => {
    const target = targetOf(event);
    if (target) show(target);
    else if (current && current !== document.activeElement) hide();
  });
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focusin", (event) => {
    const target = targetOf(event);
    if (target) show(target);
    else hide();
  });
  element.addEventListener("focusout", hide);
  element.addEventListener("keydown", (event) => {
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
    if (target) choose(target);
  });

  function choose(target) {
    const found = cellOf.get(target);
    const { stage, index } = found ? { stage: found.stage, index: found.cell.current } : linkPlace(target);
    app.store.set({ stage: stage.key, cell: [...index] });
    show(target);
  }

  return {
    refresh() {
      if (current && current.isConnected) show(current);
    },
  };
}
