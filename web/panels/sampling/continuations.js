/** All continuations of up to four words: an area chart, and a tree view. */

import { continuationsPicture } from "./picture.js";
import { createTree } from "./tree.js";
import { el, replace } from "../../dom.js";
import { createFold } from "../../fold.js";
import { number } from "../../format.js";
import { createLatest } from "../../asking.js";
import { roundingNoteOfRows } from "../../rounded_sum.js";
import { viewRequest } from "../../viewer.js";

export function createContinuations(container, app) {
  const { t, server } = app;
  const heading = el("h2");
  const lead = el("p", { class: "mg-note" });
  const sum = el("p", { class: "mg-finding" });
  const columns = el("div", { class: "mg-columns", "aria-hidden": "true" });
  const areas = el("div");
  const picture = el("div", { class: "mg-picture" }, columns, areas);
  const tree = createTree(app);
  const fold = createFold(t, () => draw(true)); // of the first words; there are few below each where there are many
  const content = el("div", { class: "mg-continuations" }, picture, el("div", {}, fold.element, tree.element));
  container.append(el("div", { class: "mg-panel-head" }, heading), lead, sum, content);
  let shown = null;

  const ask = createLatest(server.continuations, (answer) => {
    shown = answer;
    draw(true);
  });

  function draw(isNew) {
    const { words } = app.viewer.view().model;
    if (!shown) return;
    const sums = t(shown.depth === 1 ? "sampling.sum_one" : "sampling.sum", { leaves: shown.leaves, depth: shown.depth, sum: number(shown.sum, 6) });
    const places = fold.shown(shown.nodes.map(({ word }) => words[word]));
    const isWhole = places.length === shown.nodes.length; // else nobody can add up what stands there
    sum.textContent = [sums, isWhole && roundingNoteOfRows(stepsOf(shown.nodes), t)].filter(Boolean).join(" ");
    replace(columns, Array.from({ length: shown.depth }, (_, at) => el("span", {}, t("sampling.column", { number: at + 1 }))));
    if (!isNew) return tree.label();
    replace(areas, continuationsPicture(shown, words, openAt));
    tree.show(places.map((place) => shown.nodes[place]), words);
    return undefined;
  }

  /** Open the tree at the end of `path`, whose first node may not be shown yet. */
  function openAt(path) {
    fold.reveal(path[0]);
    tree.open(path);
  }

  return {
    update(state, view) {
      heading.textContent = t("sampling.tree_heading");
      lead.textContent = t("sampling.tree_lead");
      content.hidden = sum.hidden = !view.probabilities;
      draw(false);
      // Without seed and draw number: the tree has the outcomes of every possible draw.
      if (view.probabilities) ask({ ...viewRequest(state), sampling: { ...state.sampling, seed: 0 } });
    },
  };
}

/** The step probabilities of each node's children. */
function stepsOf(nodes) {
  return nodes.length ? [nodes.map(({ step }) => step), ...nodes.flatMap(({ children }) => stepsOf(children))] : [];
}
