/**
 * What cannot be read on a page as it stands: text on text, text that is cut off, and whatever
 * makes the page scroll sideways. Run in the page by text_boxes.py; it needs no module of the page.
 *
 * Left out, each for its reason:
 * - what is not shown (`hidden`, no opacity, what is for screen readers alone);
 * - text under a sticky or fixed part with an opaque background: scrolling uncovers it;
 * - tooltips: they lie over what they explain, until the pointer goes on;
 * - two pieces of one formula: MathML's boxes are taller than what is drawn in them;
 * - text scrolled out of a part that scrolls: it can be reached.
 * What CSS adds (`::before`) has no box that can be asked for.
 */

const TOOLTIPS = "[role=tooltip], .mg-map-tooltip";
const READ_OUT = ".mg-hidden, .mg-map-hidden, .mg-sheet";
const TOLERANCE = 1; // px
const LEADING = 0.2; // of a line's box above and below what is drawn in it

/**
 * @param {string} selector the part of the page that is looked at
 * @returns {{overlaps: string[], cuts: string[], wide: string[]}} sentences, empty where all is well
 */
export function faults(selector) {
  const root = document.querySelector(selector);
  const boxes = textBoxes(root);
  return {
    overlaps: overlapsOf(boxes.filter((box) => box.left < box.right && box.top < box.bottom)),
    cuts: [...new Set([...boxes.filter((box) => box.cut).map(cutText), ...cutInputs(root)])],
    wide: wideParts(root),
  };
}

/** The boxes of what is written, a box a line, in CSS pixels of the window. */
function textBoxes(root) {
  const boxes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() && isShown(node.parentElement)) boxes.push(...linesOf(node));
  }
  return boxes;
}

function isShown(element) {
  if (element.closest(`${READ_OUT}, ${TOOLTIPS}, style, script, title, desc, option`)) return false;
  if (isReadOutHere(element)) return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** Whether it is for screen readers alone at this width: in a box of one px that shows nothing. */
function isReadOutHere(element) {
  for (let at = element; at && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).clipPath === "inset(50%)" && at.offsetWidth <= 1) return true;
  }
  return false;
}

function linesOf(node) {
  const element = node.parentElement;
  const range = document.createRange();
  range.selectNodeContents(node);
  const rects = element.namespaceURI.endsWith("svg") ? [element.getBoundingClientRect()] : range.getClientRects();
  return [...rects].filter((rect) => rect.width > 0).map((rect) => {
    const leading = rect.height * LEADING;
    const drawn = { left: rect.left, right: rect.right, top: rect.top + leading, bottom: rect.bottom - leading };
    return { text: node.data.trim(), element, formula: element.closest("math"), cover: coverOf(element), ...clipped(drawn, element) };
  });
}

/** `rect` without what an ancestor hides; `cut` is the ancestor where no scrolling brings it back. */
function clipped(rect, element) {
  const left = { ...rect, cut: null };
  for (let at = element; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    const box = insideOf(at);
    for (const [overflow, start, end] of [[style.overflowX, "left", "right"], [style.overflowY, "top", "bottom"]]) {
      if (overflow === "visible" || at.namespaceURI.endsWith("svg") && at.tagName !== "svg") continue;
      const isCut = left[start] < box[start] - TOLERANCE || left[end] > box[end] + TOLERANCE;
      const isHere = left.left < left.right && left.top < left.bottom;
      if (isCut && isHere && ["hidden", "clip"].includes(overflow)) left.cut ??= at;
      left[start] = Math.max(left[start], box[start]);
      left[end] = Math.min(left[end], box[end]);
    }
    if (style.position === "fixed") break;
  }
  return left;
}

/** The box within the borders. */
function insideOf(element) {
  const box = element.getBoundingClientRect();
  const left = box.left + element.clientLeft;
  const top = box.top + element.clientTop;
  const scale = element.offsetWidth ? box.width / element.offsetWidth : 1; // an ancestor's `scale`
  const width = element.clientWidth ? element.clientWidth * scale : box.width;
  const height = element.clientHeight ? element.clientHeight * scale : box.height;
  return { left, top, right: left + width, bottom: top + height };
}

/**
 * The nearest sticky or fixed ancestor through which nothing is seen, if there is one. A sticky
 * part without a background lies on what scrolls beneath it, within whatever covers both.
 */
function coverOf(element) {
  let isOpaque = false;
  for (let at = element; at; at = at.parentElement) {
    const { position, backgroundColor } = getComputedStyle(at);
    isOpaque ||= alphaOf(backgroundColor) === 1;
    if (isOpaque && ["sticky", "fixed"].includes(position)) return at;
  }
  return null;
}

function alphaOf(colour) {
  if (colour === "transparent") return 0;
  const [, alpha] = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(colour)?.filter(Boolean) ?? [];
  return alpha === undefined ? 1 : Number(alpha);
}

function overlapsOf(boxes) {
  const found = new Set();
  const sorted = [...boxes].sort((one, other) => one.top - other.top);
  sorted.forEach((one, at) => {
    for (let next = at + 1; next < sorted.length && sorted[next].top < one.bottom - TOLERANCE; next += 1) {
      const other = sorted[next];
      if (overlap(one, other)) found.add(`${named(one)} on ${named(other)}`);
    }
  });
  return [...found];
}

function overlap(one, other) {
  if (one.element === other.element || one.cover !== other.cover) return false;
  if (one.formula && one.formula === other.formula) return false;
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > TOLERANCE && height > TOLERANCE;
}

function cutInputs(root) {
  return [...root.querySelectorAll("input:not([type=radio], [type=checkbox], [type=range], [type=file])")]
    .filter((input) => isShown(input) && input.value && input.scrollWidth > input.clientWidth + TOLERANCE)
    .map((input) => `${input.value} (${pathOf(input)}) in ${input.clientWidth} px`);
}

/** What stands out of the part that is looked at, or makes the whole page scroll sideways. */
function wideParts(root) {
  const found = [];
  const { left, right } = root.getBoundingClientRect();
  const page = document.documentElement;
  if (root === document.body && page.scrollWidth > page.clientWidth) found.push(`the page, by ${page.scrollWidth - page.clientWidth} px`);
  for (const element of root.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    const isOut = box.right > right + TOLERANCE || box.left < left - TOLERANCE;
    if (isOut && box.width && isShown(element) && !isScrolled(element, root)) found.push(pathOf(element));
  }
  return found;
}

function isScrolled(element, root) {
  for (let at = element.parentElement; at && at !== root.parentElement; at = at.parentElement) {
    if (getComputedStyle(at).overflowX !== "visible") return true;
  }
  return false;
}

function cutText(box) {
  return `${named(box)} in ${pathOf(box.cut)}`;
}

function named({ text, element }) {
  return `“${text.slice(0, 40)}” (${pathOf(element)})`;
}

function pathOf(element) {
  const names = [];
  for (let at = element; at && names.length < 3; at = at.parentElement) {
    names.unshift(at.id ? `#${at.id}` : [at.localName, ...at.classList].join("."));
    if (at.id) break;
  }
  return names.join(" > ");
}
