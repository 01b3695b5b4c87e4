/** The attention links of all blocks: one group a link, kept from view to view. */

import { svg } from "../dom.js";
import { headDash, linkShapes } from "./links.js";

export function createLinkViews(board, container) {
  const blocks = [...new Set(board.anchors.map((anchor) => anchor.block))];
  const groups = blocks.map((block) => {
    const anchors = board.anchors.filter((anchor) => anchor.block === block).sort(byReach);
    return { block, anchors, views: anchors.map((anchor) => createLink(anchor, container)) };
  });
  return {
    update(view) {
      for (const { block, anchors, views } of groups) {
        const probabilities = view.trace[`blocks.${block}.attention_probs`];
        const shapes = linkShapes(anchors, probabilities, board.downwards);
        shapes.forEach((shape, place) => views[place].update(shape));
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
    name: `${block}.${head}.${from}.${to}`,
    paths: [band, core],
    shape: () => last,
    update(shape) {
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
