/** What a word is in the text: the lesson's five, characters, or what stands between spaces. */

import { createSegmented } from "../../segmented.js";

export const LESSON = "lesson";
const UNITS = [LESSON, "characters", "words"];
const LINE_ENDS = ["word", "break"];

/** @param {() => void} onChoice called when a person chooses */
export function createUnits(t, onChoice) {
  const units = createSegmented(UNITS, (value) => choose(value, lineEnd));
  const lineEnds = createSegmented(LINE_ENDS, (value) => choose(unit, value));
  let unit = LESSON;
  let lineEnd = LINE_ENDS[0];

  function choose(value, end) {
    unit = value;
    lineEnd = end;
    onChoice();
  }

  return {
    units: units.element,
    lineEnds: lineEnds.element,
    unit: () => unit,
    isOwn: () => unit !== LESSON,
    /** Its part of a request; none for the lesson's words. */
    get: () => (unit === LESSON ? {} : { unit, line_ends: lineEnd }),
    set({ unit: given, line_ends: end }) {
      unit = UNITS.includes(given) ? given : LESSON;
      lineEnd = LINE_ENDS.includes(end) ? end : LINE_ENDS[0];
    },
    update() {
      const labels = (names, key) => Object.fromEntries(names.map((name) => [name, t(`training.${key}_${name}`)]));
      units.update({ legend: t("training.unit"), labels: labels(UNITS, "unit"), chosen: unit });
      lineEnds.update({ legend: t("training.line_ends"), labels: labels(LINE_ENDS, "line_ends"), chosen: lineEnd });
      lineEnds.element.hidden = unit === LESSON;
    },
  };
}
