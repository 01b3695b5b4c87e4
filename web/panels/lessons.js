/** Lessons: five short tours of the page, each with a task at the end. */

import { answered, createOnce } from "../asking.js";
import { el, replace } from "../dom.js";
import { createExample } from "./lessons/example.js";
import { finishedLessons } from "./lessons/kept.js";
import { createShapes } from "./lessons/shapes.js";
import { createStrip } from "./lessons/strip.js";

export function mount(container, app) {
  const { server, store, t } = app;
  const heading = el("h2");
  const intro = el("p", { class: "mg-note" });
  const list = el("ol", { class: "mg-lesson-list" });
  const example = createExample(app);
  const shapes = createShapes(app);
  const strip = createStrip(app, draw);
  container.append(heading, intro, el("div", { class: "mg-lessons" }, list, example.element, shapes.element));
  let lessons = null;
  let batch = null;
  let texts = null;

  const load = createOnce(async () => {
    const answers = await answered(Promise.all([server.lessons({}), server.network_stages({})]));
    if (!answers) return; // retried at the next update
    const [told, book] = answers;
    ({ lessons, batch } = told);
    texts = book.texts;
    draw();
  });

  function draw() {
    heading.textContent = t("lessons.heading");
    intro.textContent = t("lessons.intro");
    strip.draw();
    if (!lessons) return;
    const finished = finishedLessons();
    replace(list, lessons.map((lesson) => item(lesson, finished.includes(lesson.id))));
    example.update(store.get().lang, texts);
    shapes.update(batch);
  }

  function item(lesson, isDone) {
    const id = `lessons.${lesson.id}`;
    return el(
      "li",
      { class: "mg-lesson-card", "aria-current": strip.current() === lesson.id ? "step" : null },
      el("h3", { class: "mg-working-subtitle" }, t(`${id}.title`)),
      isDone ? el("span", { class: "mg-lesson-done" }, "✓ ", t("lessons.is_done")) : null,
      el("p", {}, t(`${id}.question`)),
      el(
        "button",
        {
          type: "button",
          class: isDone ? "mg-button" : "mg-button mg-primary",
          "aria-label": `${t(isDone ? "lessons.again" : "lessons.start")}: ${t(`${id}.title`)}`,
          onclick: () => strip.begin(lesson),
        },
        t(isDone ? "lessons.again" : "lessons.start"),
      ),
    );
  }

  return {
    update() {
      draw();
      if (!lessons) load();
    },
  };
}
