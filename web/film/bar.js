/** The film's transport bar: play and pause, stop by stop, the place, the speed, and the caption. */

import { listenForKeys } from "../composing.js";
import { el, setAttribute, setText, svg } from "../dom.js";

const SPEEDS = [0.5, 1, 2];
const RANGE_STEPS = 1000;
const ICONS = {
  play: "M5 3v14l12-7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  previous: "M4 3h3v14H4zM17 3v14L8 10z",
  next: "M3 3v14l9-7zM13 3h3v14h-3z",
  close: "M4.5 3L10 8.5 15.5 3 17 4.5 11.5 10 17 15.5 15.5 17 10 11.5 4.5 17 3 15.5 8.5 10 3 4.5z",
};

/**
 * @param {(key: string, values?: object) => string} t
 * @param {object} player from player.js
 * @param {() => void} onClose
 */
export function createBar(t, player, onClose) {
  const previous = iconButton("previous", () => player.step(-1));
  const play = iconButton("play", () => (player.isPlaying() ? player.pause() : player.play()));
  const next = iconButton("next", () => player.step(1));
  const close = iconButton("close", onClose);
  const range = el("input", {
    type: "range",
    class: "mg-film-range",
    min: 0,
    max: RANGE_STEPS,
    step: 1,
    oninput: () => player.seek((player.length() * Number(range.value)) / RANGE_STEPS),
  });
  const place = el("span", { class: "mg-film-place", "aria-hidden": "true" });
  const speeds = SPEEDS.map((times) => speedButton(times, player.setSpeed));
  const speed = el("div", { class: "mg-film-speeds", role: "group" }, speeds.map(({ element }) => element));
  const caption = createCaption();
  const element = el(
    "section",
    { class: "mg-film", hidden: true },
    el("div", { class: "mg-film-controls" }, previous.element, play.element, next.element, range, place, speed, close.element),
    caption.element,
  );
  listenForKeys(element, (event) => {
    if (event.key === "Escape") onClose();
  });
  let moved = -1;

  return {
    element,
    range,
    focus: () => play.element.focus({ preventScroll: true }),
    /** How far the film is, from 0 to 1; called in every frame. */
    move(share) {
      const at = Math.round(share * RANGE_STEPS);
      if (Math.abs(at - moved) < 8 && at !== 0 && at !== RANGE_STEPS) return; // a fifth of a second
      moved = at;
      range.value = String(at);
    },
    /** `told`: {place, count, isPlaying, speed, title, number, sentence}. */
    update(told) {
      const where = { number: told.place + 1, count: told.count, title: told.title };
      setAttribute(element, "aria-label", t("film.title"));
      previous.update("previous", t("film.previous"));
      play.update(told.isPlaying ? "pause" : "play", t(told.isPlaying ? "film.pause" : "film.resume"));
      next.update("next", t("film.next"));
      close.update("close", t("film.close"));
      setAttribute(range, "aria-label", t("film.range"));
      setAttribute(range, "aria-valuetext", t("film.place", where));
      setText(place, `${where.number} / ${where.count}`);
      setAttribute(speed, "aria-label", t("film.speed"));
      for (const { times, element: button } of speeds) setAttribute(button, "aria-pressed", String(times === told.speed));
      caption.update(told);
    },
  };
}

function createCaption() {
  const title = el("strong", { class: "mg-film-title" });
  const number = el("span", { class: "mg-film-number" });
  const sentence = el("span", { class: "mg-film-sentence" });
  return {
    element: el("p", { class: "mg-film-caption", "aria-live": "polite", "aria-atomic": "true", tabindex: 0 }, title, " ", number, " ", sentence),
    update(told) {
      setText(title, told.title);
      setText(number, told.number);
      setText(sentence, told.sentence);
    },
  };
}

function iconButton(icon, onclick) {
  const path = svg("path", { d: ICONS[icon] });
  const picture = svg("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" }, path);
  const element = el("button", { type: "button", class: `mg-film-button mg-film-${icon}`, onclick }, picture);
  return {
    element,
    update(shown, name) {
      setAttribute(path, "d", ICONS[shown]);
      setAttribute(element, "aria-label", name);
      setAttribute(element, "title", name);
    },
  };
}

function speedButton(times, choose) {
  const element = el("button", { type: "button", class: "mg-film-speed", onclick: () => choose(times) }, `${times}×`);
  return { times, element };
}
