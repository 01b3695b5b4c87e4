/**
 * The continuations as a tree view: arrow up and down move, right opens, left closes (or goes to
 * the parent), Home and End go to the ends. Children are created when first opened.
 */

import { wordColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { number, scientific } from "../../format.js";

export function createTree({ t }) {
  const element = el("ul", { role: "tree", class: "mg-tree", onkeydown: onKey, onclick: onClick });
  let roots = [];

  function show(nodes, words) {
    roots = nodes.map((node) => createItem(node, [], words));
    replace(element, roots.map((item) => item.element));
    if (roots.length) {
      roots[0].line.tabIndex = 0;
      setOpen(roots[0], true);
    }
    label();
  }

  function label() {
    element.setAttribute("aria-label", t("sampling.tree"));
  }

  function items() {
    const visible = (list) => list.flatMap((item) => [item, ...(item.isOpen ? visible(item.children()) : [])]);
    return visible(roots);
  }

  function focus(item) {
    for (const { line } of items()) line.tabIndex = -1;
    item.line.tabIndex = 0;
    item.line.focus();
  }

  function onKey(event) {
    const all = items();
    const at = all.findIndex((item) => item.line === event.target);
    if (at < 0) return;
    const moves = {
      ArrowDown: () => all[at + 1],
      ArrowUp: () => all[at - 1],
      Home: () => all[0],
      End: () => all.at(-1),
      ArrowRight: () => stepIn(all[at]),
      ArrowLeft: () => stepOut(all[at]),
      Enter: () => toggle(all[at]),
      " ": () => toggle(all[at]),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    const next = moves[event.key]();
    if (next) focus(next);
  }

  function onClick(event) {
    const target = event.target.closest("[role='treeitem']");
    const item = items().find((candidate) => candidate.line === target);
    if (!item) return;
    toggle(item);
    focus(item);
  }

  /** Open the nodes along `path` (indices among siblings) and focus the last one. */
  function open(path) {
    let list = roots;
    let item = null;
    for (const [level, at] of path.entries()) {
      item = list[at];
      if (level < path.length - 1) setOpen(item, true);
      list = item.children();
    }
    if (item) focus(item);
  }

  return { element, show, label, open };
}

function stepIn(item) {
  if (!item.hasChildren) return null;
  if (item.isOpen) return item.children()[0];
  setOpen(item, true);
  return null;
}

function stepOut(item) {
  if (!item.isOpen) return item.parent;
  setOpen(item, false);
  return null;
}

function toggle(item) {
  if (item.hasChildren) setOpen(item, !item.isOpen);
  return null;
}

function setOpen(item, isOpen) {
  item.isOpen = isOpen;
  item.line.setAttribute("aria-expanded", String(isOpen));
  if (isOpen && !item.group.childElementCount) item.group.append(...item.children().map((child) => child.element));
  item.group.hidden = !isOpen;
}

function createItem(node, before, words) {
  const said = [...before, words[node.word]];
  const hasChildren = node.children.length > 0;
  const group = el("ul", { role: "group", hidden: true });
  const line = el(
    "div",
    {
      role: "treeitem",
      class: "mg-node",
      tabindex: -1,
      "aria-level": said.length,
      "aria-expanded": hasChildren ? "false" : null,
      style: { "--hue": wordColour(node.word), "--share": node.share },
    },
    el("span", { class: "mg-node-word" }, words[node.word]),
    el("span", { class: "mg-node-step mg-number" }, ` × ${share(node.step)} `),
    el("span", { class: "mg-node-bar" }),
    el("span", { class: "mg-node-share mg-number" }, share(node.share)),
    before.length > 0 && el("span", { class: "mg-hidden" }, ` (${said.join(" ")})`),
  );
  const element = el("li", { role: "none" }, line, hasChildren && group);
  let children = null;
  return {
    element,
    line,
    group,
    parent: null,
    hasChildren,
    isOpen: false,
    children() {
      children ??= node.children.map((child) => createItem(child, said, words));
      for (const child of children) child.parent = this;
      return children;
    },
  };
}

function share(value) {
  return value > 0 && value < 0.00005 ? scientific(value) : number(value);
}
