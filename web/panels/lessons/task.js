/** The task at the end of a lesson; the server checks the answer. */

import { answered } from "../../asking.js";
import { el } from "../../dom.js";

/** @param {() => void} onRight called when the answer is right */
export function createTask({ server, t }, onRight) {
  const label = el("label", { class: "mg-hidden", for: "mg-lesson-answer" });
  const input = el("input", {
    id: "mg-lesson-answer",
    class: "mg-input mg-answer-input",
    autocomplete: "off",
    maxlength: 40,
    "aria-describedby": "mg-lesson-verdict",
  });
  const check = el("button", { type: "submit", class: "mg-button mg-primary" });
  const verdict = el("p", { id: "mg-lesson-verdict", class: "mg-verdict", role: "status" });
  const element = el(
    "form",
    { class: "mg-answer", novalidate: true, onsubmit: judge },
    el("div", { class: "mg-answer-row" }, label, input, check),
    verdict,
  );
  let lesson = null;
  let told = null;
  let latest = null; // the last request: the verdict on an earlier answer may arrive after it
  let done = "";

  async function judge(event) {
    event.preventDefault();
    if (input.value.trim() === "") return;
    const request = { lesson, answer: input.value };
    latest = request;
    const found = await answered(server.check_lesson(request));
    if (found && (request !== latest || request.lesson !== lesson)) return;
    told = found; // null: clears the verdict on an earlier answer
    show();
    if (isRight()) onRight();
  }

  const isRight = () => told?.grade === "right";

  function show() {
    verdict.dataset.grade = told?.grade ?? "none";
    verdict.textContent = told ? `${t(`working.grade.${told.grade}`)} ${remark()}` : "";
  }

  function remark() {
    if (isRight()) return done;
    return told.hint ? t(`working.mistake.${told.hint.key}`, told.hint.values) : "";
  }

  return {
    element,
    isRight,
    /** Start a new task. */
    begin(id) {
      lesson = id;
      told = null;
      input.value = "";
    },
    /** @param {string} doneText shown once the answer is right */
    draw(doneText) {
      done = doneText;
      label.textContent = t("lessons.answer");
      check.textContent = t("lessons.check");
      show();
    },
  };
}
