/** The button of the sentence row that opens what is needed less often, over the page below. */

import { closeElsewhere } from "./closing.js";
import { el, setAttribute, setText } from "./dom.js";

const ID = "mg-more";

export function createMore({ store, generator, alert, t }) {
  const button = el("button", {
    type: "button",
    class: "mg-button mg-more-button",
    "aria-controls": ID,
    onclick: () => open(panel.hidden),
  });
  const panel = el("div", { class: "mg-more", id: ID, role: "group", hidden: true });

  function open(isOpen) {
    panel.hidden = !isOpen;
    setAttribute(button, "aria-expanded", String(isOpen));
  }

  closeElsewhere([panel, button, alert.element], () => !panel.hidden, () => open(false), () => {
    open(false);
    button.focus();
  });
  // The field that is wrong stands in it.
  generator.onRefusal(() => open(true));
  open(store.get().sampling.mode !== "argmax" && store.get().panel === null);

  return {
    button,
    panel,
    update() {
      setText(button, t("shell.more"));
      setAttribute(panel, "aria-label", t("shell.more"));
    },
  };
}
