/** What lies beside the map: a head with what is open in it, and the working or a tool below. */

import { el, replace, setAttribute, setText } from "./dom.js";

export const WORKING = "working";
export const PANEL = "panel";

/** @param {object} on `choose(name)`, `widen()`, `close()` */
export function createAside({ store, t }, on) {
  const areas = {
    [WORKING]: el("section", { class: "mg-working-area" }),
    [PANEL]: el("section", { class: "mg-panels-area" }),
  };
  const names = Object.keys(areas);
  const choices = Object.fromEntries(
    names.map((name) => [name, el("button", { type: "button", class: "mg-aside-choice", onclick: () => on.choose(name) })]),
  );
  const widen = el("button", { type: "button", class: "mg-aside-button mg-aside-widen", onclick: on.widen });
  const close = el("button", { type: "button", class: "mg-aside-button mg-aside-close", onclick: on.close });
  const space = el("span", { class: "mg-aside-space" });
  const head = el("div", { class: "mg-aside-head" }, Object.values(choices), space, widen, close);
  const lesson = el("div", { class: "mg-lesson-place" });
  const body = el("div", { class: "mg-aside-body" }, lesson, areas[WORKING], areas[PANEL]);
  const element = el("aside", { class: "mg-aside", hidden: true }, head, body);
  stickBelow(lesson, body);

  return {
    element,
    areas,
    lesson,
    isLesson: () => lesson.querySelector(":scope > :not([hidden])") !== null,
    /** @param {{front: string|null, open: string[], isWide: boolean}} shown */
    update({ front, open, isWide }) {
      head.hidden = front === null; // a lesson alone has its own way out
      element.classList.toggle("mg-aside-lesson", lesson.querySelector(":scope > :not([hidden])") !== null);
      const { panel } = store.get();
      for (const name of names) {
        areas[name].hidden = name !== front;
        choices[name].hidden = !open.includes(name);
        setAttribute(choices[name], "aria-pressed", String(name === front));
      }
      setText(choices[WORKING], t("shell.aside_working"));
      setText(choices[PANEL], panel ? t(`${panel}.title`) : "");
      setAttribute(element, "aria-label", t("shell.aside"));
      label(close, t("shell.close"), "×");
      label(widen, t(isWide ? "shell.aside_narrow" : "shell.aside_wide"), "↔");
      setAttribute(widen, "aria-pressed", String(isWide));
    },
  };
}

/** What is sticky in the body stays below the lesson, which is too. */
function stickBelow(lesson, body) {
  if (typeof ResizeObserver !== "function") return;
  new ResizeObserver(() => body.style.setProperty("--mg-lesson", `${lesson.offsetHeight}px`)).observe(lesson);
}

function label(button, text, sign) {
  setAttribute(button, "aria-label", text);
  setAttribute(button, "title", text);
  if (button.textContent !== sign) replace(button, el("span", { "aria-hidden": "true" }, sign));
}
