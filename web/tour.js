/**
 * The tour: its button, and the present step at the top of what lies beside the map. The step is
 * `state.tour` and in the address; how far a person came is kept in this browser.
 */

import { createStorage } from "./browser_storage.js";
import { el, setAttribute, setText } from "./dom.js";
import { number } from "./format.js";
import { DEFAULT_STATE } from "./state.js";
import { SET_BY_STEPS, STEPS, winnerOf } from "./tour/steps.js";
import { createTourStrip } from "./tour/strip.js";
import { createTarget } from "./tour/target.js";

export function createTour(app, kept = createStorage("mini-gpt.tour")) {
  const { store, veil, t, viewer } = app;
  const button = el("button", { type: "button", class: "mg-button mg-tour-button", onclick: () => press() });
  const strip = createTourStrip(app, { guess: takeGuess, go: (by) => go(at() + by), leave: end });
  const ring = createTarget(app);
  app.lesson.place.prepend(strip.element);
  let guess = null; // the id of the guessed word
  let done = null; // {step, values}: the step that was done, and what was found
  let [had, isEntering] = [null, false]; // the person's own state; whether a step begins
  const at = () => store.get().tour;
  const isDone = () => done !== null && done.step === at();
  const { reached, isBegun, reach } = createProgress(kept);
  const press = () => (at() === null ? go(isBegun() ? reached() : 0) : strip.focus());

  function takeGuess(id) {
    guess = id;
    update(store.get());
    strip.focus(); // the words to guess from are gone
  }

  function go(step) {
    if (step === STEPS.length) {
      end();
      return;
    }
    had ??= pick(store.get(), SET_BY_STEPS);
    enter(step, STEPS[step].scene);
    strip.focus();
  }

  function enter(step, scene) {
    guess = done = null;
    reach(Math.max(step, reached() % STEPS.length));
    isEntering = true; // what is shown meanwhile is of neither step
    veil.hideForNow(STEPS[step].hides ?? []);
    store.set({ ...scene, tour: step });
    isEntering = false;
    update(store.get());
    if (STEPS[step].shows) app.marks.bringIntoView(STEPS[step].shows);
  }

  function end() {
    if (isDone() && at() === STEPS.length - 1) reach(STEPS.length);
    const own = at() === STEPS.length - 1 ? {} : had; // the last step's sentence is the person's own
    had = null;
    ring(null);
    veil.hideForNow([]);
    store.set({ ...own, tour: null });
    update(store.get());
    button.focus({ preventScroll: true });
  }

  /** Notice that the step is done: it stays done, whatever is clicked afterwards. */
  function look(state, view) {
    const step = STEPS[state.tour];
    const isSolved = ({ key, cell }) => veil.progress.isSolved(state, view.window, key, cell);
    if (isDone() || isEntering || !viewer.isCurrent() || !step.isDone(state, view, { guess, isSolved })) return;
    done = { step: state.tour, values: valuesOf(view, guess) };
    veil.hideForNow([]);
  }

  function update(state) {
    const isOn = state.tour !== null;
    nameButton(button, t, { isOn, isBegun: isBegun(), isNew: reached() === 0 });
    if (isOn) draw(state, viewer.view());
    if (strip.show(isOn)) app.lesson.changed();
  }

  function draw(state, view) {
    look(state, view);
    const step = STEPS[state.tour];
    const { words } = view.model;
    const place = { number: state.tour + 1, count: STEPS.length };
    strip.update(step, place, words, isDone() ? foundIn(step, done.values, words, t) : null);
    ring(isDone() ? null : (step.target ?? null));
  }

  return {
    button,
    press,
    update,
    /** Once there is a view: the step of a link. The state in it is the step's, if there is one. */
    resume() {
      if (at() === null) return;
      const isBare = SET_BY_STEPS.every((key) => store.get()[key] === DEFAULT_STATE[key]);
      enter(at(), isBare ? STEPS[at()].scene : {});
    },
  };
}

/** The invitation of a first visit, and later the way back to where a person was. */
function nameButton(button, t, { isOn, isBegun, isNew }) {
  setText(button, t(isBegun && !isOn ? "tour.resume" : "tour.title"));
  button.classList.toggle("mg-primary", isNew && !isOn);
  setAttribute(button, "aria-expanded", String(isOn));
}

/** How far a person came, from 0; STEPS.length once the tour was done. */
function createProgress(kept) {
  const reached = () => (Number.isInteger(kept.read()) ? kept.read() : 0);
  return {
    reached,
    isBegun: () => reached() > 0 && reached() < STEPS.length,
    reach: (step) => kept.write(step),
  };
}

function valuesOf(view, guess) {
  const best = winnerOf(view);
  const shareOf = (id) => (id === null || !view.probabilities ? "" : number(view.probabilities[id]));
  return { guess, best, guess_share: shareOf(guess), share: shareOf(best) };
}

/** What was found, as a sentence; a wrong guess gets no tick. */
function foundIn({ id }, { guess, best, ...shares }, words, t) {
  const isWrong = guess !== null && guess !== best;
  const rightness = isWrong ? ".wrong" : ".right";
  const text = t(`tour.${id}.done${guess === null ? "" : rightness}`, { ...shares, guess: words[guess] ?? "", word: words[best] ?? "" });
  return isWrong ? text : `✓ ${text}`;
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
