/** Rings what a step of the tour is about, in view: a cell of the map, or the button of a tool. */

const RINGED = "mg-target";
const AFTER_CELL_MS = 300; // the step's own cell has been brought into view by then

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
    // On a narrow page it scrolls away with the head of the page.
    if (tab) setTimeout(() => tab === ringed && tab.scrollIntoView({ block: "nearest", inline: "nearest" }), AFTER_CELL_MS);
  };
}
