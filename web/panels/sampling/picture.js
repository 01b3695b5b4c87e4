/**
 * The tree as areas: one column per word, heights are probabilities, so each column adds up to 1.
 * Hidden from screen readers: the tree view beside it has the same content.
 */

import { wordColour } from "../../colours.js";
import { svg } from "../../dom.js";
import { number } from "../../format.js";

const WIDTH = 400;
const HEIGHT = 400;
const SMALLEST = 0.6; // lower areas are drawn as a line
const LABELLED = 15;

/** @param {(path: number[]) => void} open called with a node's index among its siblings at each depth */
export function continuationsPicture({ nodes, depth }, words, open) {
  const column = WIDTH / depth;
  const areas = [];

  function place(siblings, level, from, path, said) {
    let y = from;
    for (const [at, node] of siblings.entries()) {
      const height = node.share * HEIGHT;
      const here = [...path, at];
      const text = [...said, words[node.word]];
      if (height >= SMALLEST) areas.push(area(node, { x: level * column, y, column, height }, text, () => open(here)));
      place(node.children, level + 1, y, here, text);
      y += height;
    }
  }

  function area({ word, share }, { x, y, height }, text, onclick) {
    const label = height >= LABELLED && svg("text", { x: x + 8, y: y + height / 2 }, words[word]);
    return svg(
      "g",
      { class: "mg-area", style: { "--hue": wordColour(word) }, onclick },
      svg("title", {}, `${text.join(" ")}  ${number(share)}`),
      svg("rect", { x, y, width: column, height }),
      label,
    );
  }

  place(nodes, 0, 0, [], []);
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "mg-areas", "aria-hidden": "true" }, areas);
}
