/** Practice: results are hidden from a stage on until the learner has worked them out. */

import { el, setText } from "../dom.js";

export function createPractice({ veil, t }) {
  const { progress } = veil;
  const hide = el("input", { type: "checkbox", id: "mg-practice", onchange: toggle });
  const label = el("label", { for: "mg-practice" });
  const count = el("p", { class: "mg-note", role: "status" });
  const forget = el("button", { type: "button", class: "mg-button mg-quiet", onclick: veil.forget });
  const title = el("h3", { class: "mg-working-subtitle" });
  const element = el(
    "section",
    { class: "mg-practice", hidden: true },
    title,
    el("p", { class: "mg-practice-switch" }, hide, label),
    count,
    forget,
  );
  let shown = null; // {book, stage, state, window}

  /** Hide from this stage on; or show this stage, which also shows the stages before it. */
  function toggle() {
    const before = shown.book.stages.slice(0, shown.stage.number).map(({ key }) => key);
    veil.setHidden(hide.checked ? [shown.stage.key] : before, hide.checked);
  }

  /** Whether a stage, or one before it, hides its results. */
  const isHidden = (stage) =>
    shown.book.stages.slice(0, stage.number).some(({ key }) => veil.isHidden(key));
  const isOn = () => shown !== null && isHidden(shown.stage);

  return {
    element,
    isOn,
    isSolved: (key, cell) => progress.isSolved(shown.state, shown.window, key, cell),
    /** Whether the number in this cell is still hidden. */
    hides(key, cell) {
      const value = shown?.book.valueOf(key);
      if (!value || !("traced" in value)) return false; // a weight, or a partial sum
      return isHidden(shown.book.homeOf(key)) && !veil.isOpen(shown.window, key, cell);
    },
    solve: (key, cell) => veil.solve(shown.window, key, cell),
    reveal: (key, cell) => veil.reveal(shown.window, key, cell),
    update(state, book, stage, context) {
      const { window } = context;
      shown = { state, book, stage, window };
      element.hidden = false; // a stage is shown now
      setText(title, t("working.practice"));
      hide.checked = isOn();
      setText(label, t("working.practice_hide"));
      const cells = stage.values
        .map((value) => book.shapeOf(value, window.length).reduce((all, size) => all * size, 1))
        .reduce((all, each) => all + each, 0);
      const solved = stage.values
        .map(({ key }) => progress.countSolved(state, window, key))
        .reduce((all, each) => all + each, 0);
      setText(count, isOn() || solved ? t("working.practice_count", { solved, cells }) : t("working.practice_hint"));
      forget.hidden = progress.countAll() === 0;
      setText(forget, t("working.practice_forget", { count: progress.countAll() }));
    },
  };
}
