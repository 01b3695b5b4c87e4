/**
 * The current lesson: its step and the buttons to move on, above what it is about.
 *
 * A step sets the page's state. The user's own state is restored when the lesson ends.
 */

import { createCover } from "../../cover.js";
import { el, replace } from "../../dom.js";
import { finishLesson } from "./kept.js";
import { createTask } from "./task.js";

const SET_BY_STEPS = ["model", "edits", "tokens", "stage", "cell", "switches"];

/**
 * @param {object} app the strip is put into `lesson.place`
 * @param {() => void} onEnd called after the lesson has ended
 */
export function createStrip(app, onEnd) {
  const { store, t } = app;
  const eyebrow = el("p", { class: "mg-lesson-eyebrow" });
  const text = el("p", { class: "mg-lesson-text", role: "status" });
  const task = createTask(app, finished);
  const said = el("div", {}, text, task.element);
  const cover = createCover(app, said);
  const back = el("button", { type: "button", class: "mg-button", onclick: () => move(-1) });
  const on = el("button", { type: "button", class: "mg-button mg-primary", onclick: () => move(1) });
  const leave = el("button", { type: "button", class: "mg-button mg-quiet", onclick: end });
  const element = el(
    "section",
    { class: "mg-lesson", tabindex: "-1", hidden: true },
    eyebrow,
    said,
    el("div", { class: "mg-lesson-ways" }, back, on, leave),
  );
  app.lesson.place.append(element);
  app.veil.subscribe(draw);
  let lesson = null;
  let at = 0; // current step; steps.length is the task
  let had = null;

  const isTask = () => at === lesson.steps.length;

  function move(by) {
    at += by;
    store.set(isTask() ? lesson.task : lesson.steps[at]);
    if (isTask()) task.begin(lesson.id);
    draw();
  }

  function finished() {
    finishLesson(lesson.id);
    draw();
  }

  function end() {
    lesson = null;
    element.hidden = true;
    store.set(had);
    app.lesson.changed();
    onEnd();
  }

  function draw() {
    if (!lesson) return;
    const id = `lessons.${lesson.id}`;
    const count = lesson.steps.length;
    element.hidden = false;
    element.setAttribute("aria-label", `${t("lessons.title")}: ${t(`${id}.title`)}`);
    const where = isTask() ? t("lessons.task_label") : t("lessons.step", { number: at + 1, count });
    replace(eyebrow, el("strong", {}, t(`${id}.title`)), " ", where);
    cover.update();
    text.textContent = t(isTask() ? `${id}.task` : `${id}.step_${at + 1}`);
    task.element.hidden = !isTask();
    task.draw(t(`${id}.done`));
    back.hidden = at === 0;
    back.textContent = t("shell.previous");
    on.hidden = isTask();
    on.textContent = t("shell.next");
    const isDone = isTask() && task.isRight();
    leave.textContent = t(isDone ? "shell.finish" : "lessons.close");
    leave.className = isDone ? "mg-button mg-primary" : "mg-button mg-quiet";
  }

  return {
    begin(chosen) {
      if (!lesson) had = Object.fromEntries(SET_BY_STEPS.map((key) => [key, store.get()[key]]));
      lesson = chosen;
      at = -1;
      move(1);
      app.lesson.changed();
      element.focus({ preventScroll: true });
    },
    draw,
    current: () => lesson?.id ?? null,
  };
}
