/** What the film says at a stop: its name, one number of the trace, and the stage's own sentence. */

import { numberOrMark } from "../format.js";
import { cellPlace } from "../map/names.js";
import { CHOICE } from "./timeline.js";

const FIRST = /^.*?(?:。|[.?!](?=\s|$))/u; // up to the end of the first sentence

/** @param {() => void} onArrival called when the stages' texts have come */
export function createNarration(app, onArrival) {
  const { books } = app; // none without a server
  books?.subscribe(onArrival);

  return {
    /** `isShort`: the first sentence alone, while the film runs. */
    of(scene, board, { state, view }, isShort) {
      const { shown } = scene;
      const stage = board.stages.find(({ key }) => key === shown.key);
      const place = cellPlace(stage, shown.cell, view, app.t);
      const book = books?.of(state.model);
      const home = book?.homeOf(scene.key);
      const sentence = home ? book.texts.stages[home.name].sentence[state.lang] : "";
      return {
        title: titleOf(scene, board, app.t),
        number: app.t("film.number", { place, value: numberOrMark(shown.value) }),
        sentence: isShort ? (FIRST.exec(sentence)?.[0] ?? sentence) : sentence,
      };
    },
  };
}

function titleOf(scene, { config }, t) {
  if (scene.key === CHOICE) return t("film.choice");
  const title = t(`map.stage.${scene.name}`);
  if (scene.block === null || config.num_layers === 1) return title;
  return `${t("map.block", { number: scene.block + 1 })} · ${title}`;
}
