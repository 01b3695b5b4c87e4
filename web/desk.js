/**
 * The map and what lies beside it: the working of the chosen cell, or a tool. On a narrow page
 * that is a sheet from below.
 *
 * The map is never covered nor drawn anew by what opens: it scrolls, so far that the chosen cell
 * is in view.
 */

import { createAside, PANEL, WORKING } from "./aside.js";
import { listenForKeys } from "./composing.js";
import { el } from "./dom.js";
import { createSheet } from "./sheet.js";

const WIDE = "mg-desk-wide";

export function createDesk(app) {
  const { store, seen } = app;
  const ruler = el("div", { class: "mg-map-ruler" });
  const map = el("section", { class: "mg-map-area" });
  const aside = createAside(app, { choose: bringForward, widen, close });
  const element = el("div", { class: "mg-desk" }, ruler, map, aside.element);
  const sheet = createSheet({ aside: aside.element, map, seen });
  let front = null;
  let isQuiet = false; // what is set now is no choice of the person's

  function bringForward(name) {
    front = name;
    show();
  }

  function widen() {
    element.classList.toggle(WIDE);
    show();
  }

  /** Close what is in front; the focus goes to where it was opened. */
  function close() {
    if (front === null) return;
    const opener = front === PANEL ? document.getElementById(`mg-tab-${store.get().panel}`) : null;
    store.set(front === PANEL ? { panel: null } : { stage: null, cell: null });
    (opener ?? map.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
  }

  /** What was opened last is in front; what is closed gives way to the other. */
  function follow(state, previous) {
    if (state.panel !== previous.panel && state.panel) front = PANEL;
    const isChosen = state.stage !== previous.stage || state.cell !== previous.cell;
    if (isChosen && state.stage && !isQuiet) front = WORKING;
    show();
  }

  function show() {
    const { stage, panel } = store.get();
    const open = [stage === null ? null : WORKING, panel === null ? null : PANEL].filter(Boolean);
    if (!open.includes(front)) front = open[0] ?? null;
    const isOpen = front !== null || aside.isLesson();
    aside.element.hidden = !isOpen;
    element.classList.toggle("mg-desk-open", isOpen);
    if (!isOpen) element.classList.remove(WIDE);
    aside.update({ front, open, isWide: element.classList.contains(WIDE) });
    sheet.update();
  }

  listenForKeys(aside.element, (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  });
  const measure = () => Number.isFinite(seen.height()) && element.style.setProperty("--mg-seen", `${seen.height()}px`);
  seen.subscribe(measure);
  measure();
  store.subscribe(follow);
  show();

  return {
    element,
    ruler,
    map,
    working: aside.areas[WORKING],
    panels: aside.areas[PANEL],
    /** Where the step of a running lesson stands; `changed` once one has begun or ended. */
    lesson: { place: aside.lesson, changed: show },
    /** The first px that the sheet covers. */
    covered: sheet.top,
    /** What `set` sets brings nothing to the front. */
    quietly(set) {
      isQuiet = true;
      set();
      isQuiet = false;
    },
    update: show,
  };
}
