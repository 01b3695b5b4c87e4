/** The attention links of all blocks: one group a link, kept from view to view. */

import { svg } from "../dom.js";
import { hueOf } from "./backdrop.js";
import { headDash, linkShapes } from "./links.js";

const FLOW_MS = 900;
const FLOW_LENGTH = 48; // px that a dash travels, four of its periods
const FAINTEST_FLOW = 0.02; // a probability below which hardly anything flows

export function createLinkViews(board, container) {
  const blocks = [...new Set(board.anchors.map((anchor) => anchor.block))];
  const groups = blocks.map((block) => {
    const anchors = board.anchors.filter((anchor) => anchor.block === block);
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
    /** Let the values flow along the links once. */
    flow() {
      for (const { views } of groups) for (const link of views) link.flow();
    },
  };
}

function createLink(anchor, container) {
  const { block, head, from, to } = anchor;
  const dash = headDash(head);
  const band = svg("path", { class: "mg-map-band", "stroke-dasharray": dash || null });
  const core = svg("path", { class: "mg-map-core", "stroke-dasharray": dash || null });
  const flow = svg("path", { class: "mg-map-flow" });
  const reach = svg("path", { class: "mg-map-reach" });
  const element = svg(
    "g",
    {
      class: "mg-map-link",
      style: { "--hue": hueOf(from) },
      dataset: { block, head, from, to },
    },
    band,
    core,
    flow,
    reach,
  );
  container.append(element);
  let last = null;
  return {
    update(shape) {
      if (last && last.d === shape.d && last.width === shape.width) return;
      element.style.display = shape.visible ? "" : "none";
      for (const path of [band, core, flow, reach]) path.setAttribute("d", shape.d);
      band.setAttribute("stroke-width", shape.width);
      band.setAttribute("stroke-opacity", shape.opacity);
      flow.setAttribute("stroke-width", Math.max(1.5, Math.min(shape.width * 0.4, 4)));
      element.dataset.probability = shape.probability;
      last = shape;
    },
    flow() {
      if (!last?.visible || last.probability < FAINTEST_FLOW) return;
      flow.animate?.(
        { strokeDashoffset: [FLOW_LENGTH, 0], opacity: [0, 0.9, 0.9, 0] },
        { duration: FLOW_MS, easing: "ease-out" },
      );
    },
  };
}
