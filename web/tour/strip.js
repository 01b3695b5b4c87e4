/** How a step of the tour looks: what to do, the words to guess from, what was found, ways on. */

import { wordColour } from "../colours.js";
import { el, replace, setAttribute, setText } from "../dom.js";

/** @param {object} on `guess(id)`, `go(by)`, `leave()` */
export function createTourStrip({ t }, on) {
  const eyebrow = el("p", { class: "mg-lesson-eyebrow" });
  const text = el("p", { class: "mg-lesson-text" });
  const words = el("div", { class: "mg-tour-words", role: "group" });
  const said = el("p", { class: "mg-tour-said", role: "status" });
  const back = el("button", { type: "button", class: "mg-button", onclick: () => on.go(-1) });
  const next = el("button", { type: "button", class: "mg-button", onclick: () => on.go(1) });
  const leave = el("button", { type: "button", class: "mg-button mg-quiet", onclick: on.leave });
  const element = el(
    "section",
    { class: "mg-lesson mg-tour", tabindex: -1, hidden: true },
    eyebrow,
    text,
    words,
    said,
    el("div", { class: "mg-lesson-ways" }, back, next, leave),
  );
  let offered = ""; // the words to guess from

  function offer(all) {
    if (offered === all.join()) return;
    offered = all.join();
    replace(
      words,
      all.map((word, id) =>
        el("button", { type: "button", class: "mg-word", style: { "--hue": wordColour(id) }, onclick: () => on.guess(id) }, word),
      ),
    );
  }

  function nameWays({ number, count, isDone }) {
    const isLast = number === count;
    back.hidden = number === 1;
    setText(back, t("tour.back"));
    next.className = isDone ? "mg-button mg-primary" : "mg-button mg-quiet";
    next.hidden = isLast && !isDone;
    const onward = isLast ? "shell.finish" : "tour.next"; // not the name of the working's own button
    setText(next, t(isDone ? onward : "tour.skip"));
    leave.hidden = isLast && isDone;
    setText(leave, t("tour.leave"));
  }

  return {
    element,
    /** Whether this changed something. */
    show(isShown) {
      const isNew = element.hidden === isShown;
      element.hidden = !isShown;
      return isNew;
    },
    focus: () => element.focus({ preventScroll: true }),
    /** @param {object} step `id`, `asksWord`; `place`: {number, count}; `found`: a sentence, or null */
    update({ id, asksWord }, { number, count }, all, found) {
      const title = t(`tour.${id}.title`);
      const isDone = found !== null;
      setAttribute(element, "aria-label", `${t("tour.title")}: ${title}`);
      setText(eyebrow, `${t("tour.step", { number, count })} · ${title}`);
      setText(text, t(`tour.${id}.text`));
      words.hidden = !asksWord || isDone;
      setAttribute(words, "aria-label", t("tour.guess.words"));
      if (!words.hidden) offer(all);
      setText(said, found ?? "");
      nameWays({ number, count, isDone });
    },
  };
}
