/** Rings what a step of the tour is about: a cell of the map, or the button of a tool. */

const RINGED = "mg-target";

/** A function that rings `{key, cell}`, `{tab}` or nothing. */
export function createTarget({ marks }) {
  let ringed = null;
  return (target) => {
    marks.markTarget(target?.key ? target : null);
    ringed?.classList.remove(RINGED);
    ringed = target?.tab ? document.getElementById(`mg-tab-${target.tab}`) : null;
    ringed?.classList.add(RINGED);
  };
}
