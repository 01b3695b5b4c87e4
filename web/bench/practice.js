/** Practising at a stop: results hidden until the learner has worked them out. */

import { el, setText } from "../dom.js";
import { createProgress } from "./progress.js";

export function createPractice({ store, t }, onChange) {
  const progress = createProgress();
  const hide = el("input", { type: "checkbox", id: "mg-practice", onchange: toggle });
  const label = el("label", { for: "mg-practice" });
  const count = el("p", { class: "mg-note", role: "status" });
  const forget = el("button", { type: "button", class: "mg-button mg-quiet", onclick: forgetAll });
  const title = el("h3", { class: "mg-bench-subtitle" });
  const element = el(
    "section",
    { class: "mg-practice" },
    title,
    el("p", { class: "mg-practice-switch" }, hide, label),
    count,
    forget,
  );
  const revealed = new Set(); // shown without having been worked out; not kept
  let shown = null;

  function toggle() {
    revealed.clear();
    progress.setHidden(shown.stage.key, hide.checked);
    onChange();
  }

  function forgetAll() {
    progress.forget();
    onChange();
  }

  const isSolved = (key, cell) => progress.isSolved(store.get(), shown.window, key, cell);
  const idOf = (key, cell) => JSON.stringify([shown.window, key, cell]);
  const isOfStop = (key) => shown.keys.has(key);
  const isOn = () => shown !== null && progress.isHidden(shown.stage.key);

  return {
    element,
    isOn,
    isSolved,
    /** Whether the number in this cell is still to be worked out. */
    hides: (key, cell) =>
      isOn() && isOfStop(key) && !isSolved(key, cell) && !revealed.has(idOf(key, cell)),
    solve(key, cell) {
      progress.solve(store.get(), shown.window, key, cell);
      onChange();
    },
    reveal(key, cell) {
      revealed.add(idOf(key, cell));
      onChange();
    },
    update(book, stage, context) {
      shown = { stage, window: context.window, keys: new Set(stage.values.map(({ key }) => key)) };
      setText(title, t("bench.practice"));
      hide.checked = isOn();
      setText(label, t("bench.practice_hide"));
      const cells = stage.values
        .map((value) => book.shapeOf(value, context.window.length).reduce((all, size) => all * size, 1))
        .reduce((all, each) => all + each, 0);
      const solved = stage.values
        .map(({ key }) => progress.countSolved(store.get(), context.window, key))
        .reduce((all, each) => all + each, 0);
      setText(count, isOn() || solved ? t("bench.practice_count", { solved, cells }) : t("bench.practice_hint"));
      forget.hidden = progress.countAll() === 0;
      setText(forget, t("bench.practice_forget", { count: progress.countAll() }));
    },
  };
}
