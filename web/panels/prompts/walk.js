/**
 * The graph of windows when the most probable word is always appended: windows are buttons that
 * open the sentence, edges are lines, cycles are marked and also listed as text.
 */

import { el, replace, svg } from "../../dom.js";
import { miniChips } from "./mini_chips.js";
import { keyOf, walkLayout } from "./walk_layout.js";

const ROW = 30;
const ROW_FOR_FINGERS = 48;
const MARGIN = 6;
const WORDS_SHOWN = 3; // a longer window shows its last words; its label has all of them

export function createWalk(app) {
  const heading = el("h3");
  const note = el("p", { class: "mg-note" });
  const cycles = el("ul", { class: "mg-cycles" });
  const drawing = el("div", { class: "mg-walk" });
  const scroller = el("div", { class: "mg-scroll", tabindex: 0, role: "region" }, drawing);
  const element = el("section", { class: "mg-walk-area" }, heading, note, cycles, scroller);
  let drawn = null;
  return {
    element,
    show({ walk, longest, context_length: context }, words) {
      const { t } = app;
      heading.textContent = t("prompts.walk");
      note.textContent = walkNote(walk, longest, context, t);
      replace(cycles, walk.cycles.map((cycle, at) => el("li", {}, cycleText(cycle, at, words, t))));
      scroller.setAttribute("aria-label", t("prompts.walk"));
      draw(drawing, walk, words, app);
      if (JSON.stringify(walk) !== drawn) {
        scroller.scrollTo(scroller.scrollWidth, (scroller.scrollHeight - scroller.clientHeight) / 2);
      }
      drawn = JSON.stringify(walk);
    },
  };
}

function walkNote(walk, longest, context, t) {
  const some = walk.from_up_to === 1 ? "prompts.walk_some_one" : "prompts.walk_some";
  const key = longest === context ? "prompts.walk_all" : some;
  const said = t(key, { from: walk.from_up_to, count: walk.nodes.length });
  return walk.complete ? said : `${said} ${t("prompts.walk_cut", { most: walk.most_windows })}`;
}

/** The windows of a cycle as text; for long windows, the words appended in each round. */
function cycleText(cycle, at, words, t) {
  const isLong = cycle[0].length > WORDS_SHOWN;
  const said = [...cycle, cycle[0]].map((ids) =>
    (isLong ? ids.slice(-1) : ids).map((id) => words[id]).join(" "),
  );
  return [el("strong", {}, t("prompts.cycle", { number: at + 1 })), " ", said.join(" → ")];
}

function rowHeight() {
  return window.matchMedia("(pointer: coarse)").matches ? ROW_FOR_FINGERS : ROW;
}

function draw(drawing, { nodes, cycles }, words, app) {
  const { columns, rows, places } = walkLayout(nodes, cycles);
  const row = rowHeight();
  const height = rows * row + 2 * MARGIN;
  const present = keyOf(app.viewer.view().window);
  const top = (place) => MARGIN + (place.row + 0.5) * row;
  drawing.style.height = `${height}px`;
  drawing.style.setProperty("--columns", columns);
  const longest = Math.max(...nodes.map(({ window: ids }) => ids.length));
  drawing.style.setProperty("--letters", longest > WORDS_SHOWN ? WORDS_SHOWN + 0.5 : longest);
  const known = nodes.filter(({ window }) => places.has(keyOf(window)));
  replace(
    drawing,
    // Hidden from screen readers: the label of each window's button says where it leads.
    svg(
      "svg",
      { class: "mg-edges", viewBox: `0 0 ${columns} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      known.map((node) => edge(node, places, top)),
    ),
    el(
      "ul",
      { class: "mg-windows", "aria-label": app.t("prompts.walk") },
      known.map((node) => {
        const place = places.get(keyOf(node.window));
        return windowItem(node, { top: top(place), column: place.column, present }, words, app);
      }),
    ),
  );
}

/** An edge from a window's right side to its successor's left side; an arc within a cycle. */
function edge(node, places, top) {
  const from = places.get(keyOf(node.window));
  const to = places.get(keyOf(node.after));
  const [x1, y1, y2] = [from.column + 0.8, top(from), top(to)];
  if (node.steps > 0) {
    const x2 = to.column + 0.08;
    const middle = (x1 + x2) / 2;
    return svg("path", { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` });
  }
  const bow = x1 + (y1 === y2 ? 0.12 : 0.17);
  const [out, back] = y1 === y2 ? [y1 - 8, y2 + 8] : [y1, y2];
  return svg("path", { class: "mg-in-cycle", d: `M${x1} ${out}C${bow} ${out} ${bow} ${back} ${x1} ${back}` });
}

function windowItem(node, { top, column, present }, words, { store, t }) {
  const { window: ids, word, after, steps, cycle } = node;
  const said = (list) => list.map((id) => words[id]).join(" ");
  const key = steps === 0 ? "prompts.node_cycle" : "prompts.node";
  return el(
    "li",
    { style: { "--column": column, "--top": `${top}px` }, class: steps === 0 ? "mg-window mg-in-cycle" : "mg-window" },
    el(
      "button",
      {
        type: "button",
        class: ids.length > WORDS_SHOWN ? "mg-window-button mg-cut-off" : "mg-window-button",
        "aria-label": t(key, { window: said(ids), word: words[word], after: said(after), number: cycle + 1 }),
        "aria-current": keyOf(ids) === present ? "true" : null,
        onclick: () => store.set({ tokens: [...ids] }),
      },
      miniChips(ids.slice(-WORDS_SHOWN), words),
    ),
  );
}
