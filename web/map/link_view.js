/** The attention links of all blocks: one group a link, kept from view to view. */

import { svg } from "../dom.js";
import { headDash, linkShapes } from "./links.js";

export function createLinkViews(board, container) {
  const blocks = [...new Set(board.anchors.map((anchor) => anchor.block))];
  const groups = blocks.map((block) => {
    const anchors = board.anchors.filter((anchor) => anchor.block === block).sort(byReach);
    const drawn = board.isPicture ? anchors.filter(({ to }) => to === board.sequence - 1) : anchors;
    return { block, anchors, views: drawn.map((anchor) => createLink(anchor, container)) };
  });
  return {
    /** @param {number} looking the position whose links are drawn where there are too many for all */
    update(view, looking) {
      for (const { block, anchors, views } of groups) {
        const shown = board.isPicture ? anchors.filter(({ to }) => to === looking) : anchors;
        const shapes = linkShapes(shown, view.trace[`blocks.${block}.attention_probs`], board.downwards);
        if (board.isPicture) for (const link of views) link.update(shapes.find((shape) => link.isFrom(shape)) ?? null);
        else shapes.forEach((shape, place) => views[place].update(shape));
      }
    },
    /** Every link: {name, paths: [band, core], shape()}. */
    all: () => groups.flatMap(({ views }) => views),
  };
}

/** The longest links on top: they cross the others and are the ones to look for. */
function byReach(one, other) {
  return one.to - one.from - (other.to - other.from);
}

function createLink(anchor, container) {
  const { block, head, from, to } = anchor;
  const dash = headDash(head);
  const band = svg("path", { class: "mg-map-band", "stroke-dasharray": dash || null });
  const core = svg("path", { class: "mg-map-core", "stroke-dasharray": dash || null });
  const reach = svg("path", { class: "mg-map-reach" });
  const element = svg(
    "g",
    {
      class: "mg-map-link",
      dataset: { block, head, from, to, hue: from },
    },
    band,
    core,
    reach,
  );
  container.append(element);
  let last = null;
  return {
    get name() {
      return `${block}.${head}.${from}.${element.dataset.to}`;
    },
    /** Whether a shape begins where this link does, at the same head. */
    isFrom: (shape) => shape.head === head && shape.from === from,
    paths: [band, core],
    shape: () => last,
    /** @param {object|null} shape of links.js; null: the position looked from does not look here */
    update(shape) {
      if (shape === null) {
        element.style.display = "none";
        last = null;
        return;
      }
      if (element.dataset.to !== String(shape.to)) element.dataset.to = shape.to;
      if (last && last.d === shape.d && last.width === shape.width) return;
      element.style.display = shape.visible ? "" : "none";
      for (const path of [band, core, reach]) path.setAttribute("d", shape.d);
      band.setAttribute("stroke-width", shape.width);
      band.setAttribute("stroke-opacity", shape.opacity);
      element.dataset.probability = shape.probability;
      last = shape;
    },
  };
}
