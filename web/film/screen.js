/**
 * What of the board is there at a time of the film: parts not yet reached have a class. No value is
 * written, so the page has its final values beneath, and taking the classes away ends the film.
 */

import { beatsShown } from "./timeline.js";

const AHEAD = "mg-film-ahead"; // a value whose scene is still to come
const DARK = "mg-film-dark"; // a wire, a ribbon or a link that carries nothing yet

/** @param {object} parts of the drawn board: board, plane, views, backdrop, answer */
export function createScreen({ plane, views, backdrop, answer }, scenes) {
  const places = new Map(scenes.map(({ key }, place) => [key, place]));
  const carriers = [...backdrop.element.querySelectorAll("[data-carries]")].map((part) => ({
    part,
    own: places.get(part.dataset.carries),
    isDark: false,
  }));
  const beatsOf = scenes.map(beatsByPart);
  let shown = null; // {place, beats}

  function show(place, time) {
    const beats = beatsShown(scenes[place], time);
    if (shown?.place === place && shown.beats === beats) return;
    const isNewScene = shown?.place !== place;
    if (isNewScene) showScene(place);
    for (const view of views) if (places.get(view.stage.key) === place) showCells(view, beatsOf[place], beats);
    if (isNewScene || scenes[place].name === "head_outputs") showLinks(place, beats);
    shown = { place, beats };
  }

  function showScene(place) {
    plane.classList.add("mg-film-open");
    for (const view of views) {
      const own = places.get(view.stage.key);
      view.element.classList.toggle(AHEAD, own > place);
      view.element.classList.toggle("mg-film-now", own === place);
      if (own !== place) fill(view);
    }
    for (const one of carriers) {
      const isDark = one.own >= place;
      if (one.isDark !== isDark) one.part.classList.toggle(DARK, isDark);
      one.isDark = isDark;
    }
    answer.element.classList.toggle(AHEAD, places.get("vocabulary_probs") > place);
  }

  function showLinks(place, beats) {
    for (const link of backdrop.links.children) {
      const { block, head, to } = link.dataset;
      const own = places.get(`blocks.${block}.head_outputs`);
      const isThere = own < place || (own === place && beatOf(beatsOf[own], [Number(head), Number(to)]) < beats);
      link.classList.toggle(DARK, !isThere);
    }
  }

  return {
    show,
    /** The board as it is without a film. */
    clear() {
      shown = null;
      plane.classList.remove("mg-film-open");
      answer.element.classList.remove(AHEAD);
      for (const view of views) {
        view.element.classList.remove(AHEAD, "mg-film-now");
        fill(view);
      }
      for (const part of [...carriers.map((one) => one.part), ...backdrop.links.children]) part.classList.remove(DARK);
    },
  };
}

/** A beat's number by each of its parts. */
function beatsByPart({ beats }) {
  return new Map(beats.flatMap(({ parts }, beat) => parts.map((part) => [part.join(), beat])));
}

/** The beat in which the cell at `index` appears. */
function beatOf(beats, index) {
  for (let length = 1; length <= index.length; length += 1) {
    const beat = beats.get(index.slice(0, length).join());
    if (beat !== undefined) return beat;
  }
  return Infinity;
}

function showCells(view, ownBeats, beats) {
  view.hideCells((cell) => beatOf(ownBeats, cell.current) >= beats);
}

function fill(view) {
  view.hideCells(null);
}
