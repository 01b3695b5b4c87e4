/** Train, stop, continue, rewind: each enabled when it applies. */

import { el } from "../../dom.js";
import { isActive } from "./session.js";
import { readNumber } from "../../typed_number.js";

/** `steps()` is the form's current value: a finished training can continue if it is larger. */
export function createActions({ t }, session, steps) {
  const button = (attributes) => el("button", { type: "button", class: "mg-button", ...attributes });
  const buttons = {
    train: button({ type: "submit", class: "mg-button mg-primary" }),
    stop: button({ onclick: () => session.stop() }),
    resume: button({ onclick: () => session.resume(steps()) }),
    rewind: button({ onclick: () => session.rewind() }),
  };
  return {
    element: el("div", { class: "mg-training-actions" }, Object.values(buttons)),
    update() {
      const training = session.get();
      const asking = session.isAsking();
      const active = isActive(training);
      const rests = training !== null && !active && !["gone", "recorded"].includes(training.status);
      const goesOn = rests && training.status !== "failed" && training.step < (readNumber(steps()) ?? 0);
      for (const [key, made] of Object.entries(buttons)) made.textContent = t(`training.${key}`);
      buttons.train.disabled = asking || active;
      buttons.stop.disabled = asking || !active;
      buttons.resume.disabled = asking || !goesOn;
      buttons.rewind.disabled = asking || !rests || training.step === 0;
    },
  };
}
