/** What stages and cells are called, for headings, the tooltip and screen readers. */

import { numberOrMark } from "../format.js";
import { withGloss } from "../glosses.js";
import { positionOf, valueAt } from "./stages.js";

/** "注意力更新 attention_update", with its block where there is more than one. */
export function stageTitle(stage, board, t) {
  const title = `${t(`map.stage.${stage.name}`)} ${stage.name}`;
  if (stage.block === null || board.config.num_layers === 1) return title;
  return `${t("map.block", { number: stage.block + 1 })} ${title}`;
}

const NAMED_BY_PANEL = new Set(["attention_update", "ffn_update"]); // it stands at the panel's edge

/** What stands over a stage's cells: as short as its panel's title allows. */
export function headingOf({ name }, t) {
  return t(NAMED_BY_PANEL.has(name) ? "map.heading.update" : `map.stage.${name}`);
}

/** Where in its stage a cell lies, in words: the word and the channel, head, unit or word. */
export function cellPlace(stage, index, view, t) {
  const named = (id) => withGloss(view.model.words[id], t);
  const wordAt = (position) => named(view.window[position]);
  const position = positionOf(stage.kind, index);
  const who = () => t("map.cell.word", { word: wordAt(position), position });
  const last = index.at(-1);
  const head = () => t("map.head", { number: index[0] + 1 });
  const joined = (...parts) => parts.join(t("working.comma"));
  switch (stage.kind) {
    case "heads":
      return joined(who(), head(), t("map.cell.channel", { channel: last }));
    case "matrix":
      return joined(
        head(),
        t("map.cell.looks", { looker: wordAt(position), from: position, seen: wordAt(last), to: last }),
      );
    case "units":
      return joined(who(), t("map.cell.unit", { unit: last }));
    case "words":
      return joined(who(), t("map.cell.next", { word: named(last) }));
    default:
      return joined(who(), t("map.cell.channel", { channel: last }));
  }
}

/** A cell's accessible name: its place, then its value to four decimals, then what is special. */
export function cellName(place, value, changed, t) {
  const notes = [];
  if (value === null) notes.push(t("map.cell.masked"));
  if (changed) notes.push(t("map.cell.changed"));
  const note = notes.length ? t("map.cell.notes", { notes: notes.join(t("working.comma")) }) : "";
  return `${place}${t("working.colon")}${numberOrMark(value)}${note}`;
}

/** Whether the changes to the network changed this value. */
export function isChanged(stage, index, value, view) {
  const before = valueAt(view.baseline?.[stage.key], index);
  return before !== undefined && !Number.isNaN(value) && before !== value;
}
