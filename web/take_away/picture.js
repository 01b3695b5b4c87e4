/**
 * The map as one SVG file: self-contained, in the colours of the moment, numbers as text.
 *
 * Made of the layout and the trace. What lies behind the cells (the road, wires, links) is drawn
 * by the map's own modules and then painted with attributes.
 */

import { wordColour } from "../colours.js";
import { svg } from "../dom.js";
import { glossOf } from "../glosses.js";
import { createBackdrop } from "../map/backdrop.js";
import { layoutMap } from "../map/layout.js";
import { createLinkViews } from "../map/link_view.js";
import { indexIn, ordersOf } from "../map/orders.js";
import { mapScale } from "../map/scale.js";
import { createSwitchedOff, partsOff } from "../map/switched_off.js";
import { short } from "../map/tags.js";
import { answerPicture } from "./answer.js";
import { stagePicture } from "./cells.js";
import { footPicture } from "./foot.js";
import { give, paint, rounded } from "./paint.js";

const WIDTH = 1280; // px of the layout: the digits show up to four words
const MARGIN = 20;
const FONTS = "Helvetica Neue, Arial, Liberation Sans, Roboto, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif";
const NARROW_WORD = 32; // px: room for one character
const ROOM_FOR_GLOSS = { w: 44, h: 34 };

/**
 * @param {object} view with a trace, as the page shows it (hidden numbers are NaN)
 * @param {object} given `theme`: colours by variable (theme.js); `t`: the texts; `caption`: below;
 *   `switches`: those of the page, what they turn off looks cut
 * @returns {{text: string, width: number, height: number}} the file's content, and its size in px
 */
export function mapPicture(view, { theme, t, caption, switches = {} }) {
  const board = layoutMap(view.model.config, view.window.length, WIDTH);
  const context = contextOf(board, view, { theme, t, switches });
  const foot = footPicture(board, context, caption);
  const width = Math.ceil(board.width + 2 * MARGIN);
  const height = Math.ceil(board.height + foot.height + 3 * MARGIN);
  const root = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONTS, lang: t("language.tag") },
    svg("title", {}, caption),
    svg("rect", { width, height, fill: theme["--mg-page"] }),
    svg(
      "g",
      { transform: `translate(${MARGIN} ${MARGIN})` },
      backPicture(board, context),
      board.words.map((word) => wordPicture(word, context)),
      board.stages.map((stage) => stagePicture(stage, context)),
      answerPicture(board, context),
    ),
    svg("g", { transform: `translate(${MARGIN} ${Math.ceil(board.height + 2 * MARGIN)})` }, foot.elements),
  );
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${serialised(root)}\n`, width, height };
}

function contextOf(board, view, { theme, t, switches }) {
  const orders = ordersOf(view, board);
  return {
    theme,
    t,
    view,
    orders,
    switches,
    off: partsOff(switches),
    window: view.window,
    sizes: board.sizes,
    k: board.sizes.k,
    wire: board.sizes.wire,
    scale: mapScale(view.trace),
    hueOf: (position) => wordColour(view.window[position]),
    indexOf: indexIn(orders),
  };
}

function backPicture(board, context) {
  const backdrop = createBackdrop(board, context);
  createLinkViews(board, backdrop.links).update(context.view);
  backdrop.update(context.view, context.orders);
  createSwitchedOff({ views: [], backdrop }).update(context);
  paint(backdrop.element, context);
  return svg("g", {}, [...backdrop.element.childNodes]);
}

function wordPicture({ position, x, y, w, h }, context) {
  const { view, t } = context;
  const word = view.model.words[view.window[position]];
  const box = svg("rect", { x: x + 1, y: y + 1, width: w - 2, height: h - 2, rx: 9 });
  const hue = context.hueOf(position);
  give(box, { fill: "var(--mg-surface)", stroke: "var(--hue)", "stroke-width": 2 }, context, hue);
  const hasRoom = w >= ROOM_FOR_GLOSS.w && h >= ROOM_FOR_GLOSS.h;
  const gloss = hasRoom ? glossOf(word, t) : null;
  const isLong = w >= NARROW_WORD && [...word].length > 3;
  const size = isLong ? 10.5 : 15;
  const line = (text, px, bold, dy) => {
    const at = { x: rounded(x + w / 2), y: rounded(y + h / 2 + dy * context.k), "text-anchor": "middle" };
    const element = svg("text", at, text);
    give(element, { fill: bold ? "var(--mg-ink)" : "var(--mg-muted)", px, "font-weight": bold ? 650 : 400 }, context);
    return element;
  };
  const shown = w < NARROW_WORD ? short(word, 1) : word;
  return [box, line(shown, size, true, gloss ? 1 : 0.36 * size), gloss && line(gloss, 10, false, 12)];
}

/** Without the classes of the page, which mean nothing in a file. */
function serialised(root) {
  for (const element of [root, ...root.querySelectorAll("[class]")]) element.removeAttribute("class");
  for (const group of [...root.querySelectorAll("g")].reverse()) {
    if (!group.attributes.length) group.replaceWith(...group.childNodes);
  }
  return new window.XMLSerializer().serializeToString(root);
}
