/**
 * Parts of the network (entrance, attention, FFN, end) are set like words of a text: what does
 * not fit on a line goes on the next, and the road with it.
 */

import { PAD } from "./widths.js";

/** The parts in order; a folded block is one part. */
export function partsOf(config, folded) {
  const blocks = Array.from({ length: config.num_layers }, (_, block) =>
    folded.has(block)
      ? [{ kind: "folded", block }]
      : [
          { kind: "attention", block },
          { kind: "ffn", block },
        ],
  );
  return [{ kind: "entrance", block: null }, ...blocks.flat(), { kind: "end", block: null }];
}

/**
 * `parts` in as few lines as `width` allows (a part wider than that has a line of its own), and
 * then in lines of as equal a length as can be.
 */
export function broken(parts, widths, width) {
  let count = 1;
  let used = 0;
  parts.forEach((part, place) => {
    const turn = place === parts.length - 1 ? 0 : widths.turn;
    if (used && used + widths[part.kind] + turn > width - 2 * PAD) {
      count += 1;
      used = widths.carry;
    }
    used += widths[part.kind];
  });
  return balanced(parts, count, (line, isFirst, isLast) =>
    lineWidth(line, widths, isFirst, isLast),
  );
}

/** `parts` in `count` lines whose widest is as narrow as it can be. */
function balanced(parts, count, measure, isFirst = true) {
  if (count === 1) return [parts];
  let best = null;
  let narrowest = Infinity;
  for (let end = 1; end <= parts.length - count + 1; end += 1) {
    const head = parts.slice(0, end);
    const rest = balanced(parts.slice(end), count - 1, measure, false);
    const last = rest.length - 1;
    const widest = Math.max(
      measure(head, isFirst, false),
      ...rest.map((line, place) => measure(line, false, place === last)),
    );
    if (widest >= narrowest) continue;
    narrowest = widest;
    best = [head, ...rest];
  }
  return best;
}

/** The width of a line: its parts, and the road's way in from the line before and out again. */
export function lineWidth(parts, widths, isFirst, isLast) {
  const inner = parts.reduce((sum, part) => sum + widths[part.kind], 0);
  return 2 * PAD + inner + (isFirst ? 0 : widths.carry) + (isLast ? 0 : widths.turn);
}
