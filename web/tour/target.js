/** Rings what a step of the tour is about, in view: a cell of the map, or the button of a tool. */

const RINGED = "mg-target";

/** A function that rings `{key, cell}`, `{tab}` or nothing. */
export function createTarget({ marks }) {
  let ringed = null;
  return (target) => {
    marks.markTarget(target?.key ? target : null);
    const tab = target?.tab ? document.getElementById(`mg-tab-${target.tab}`) : null;
    if (tab === ringed) return;
    ringed?.classList.remove(RINGED);
    ringed = tab;
    ringed?.classList.add(RINGED);
    ringed?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  };
}
