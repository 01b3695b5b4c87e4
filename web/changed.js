/** Says that weights or switches differ from the lesson's, so all numbers too, and resets them. */

import { countEdits, countSwitches } from "./changes.js";
import { el, setText } from "./dom.js";

export function createChanged(container, { store, t }) {
  const text = el("span");
  const open = el("button", {
    type: "button",
    class: "mg-button mg-quiet",
    onclick: () => {
      store.set({ panel: "weights" });
      document.getElementById("mg-tab-weights")?.focus(); // which also brings it into view
    },
  });
  const reset = el("button", {
    type: "button",
    class: "mg-button",
    onclick: () => store.set({ edits: {}, switches: {} }),
  });
  const box = el("div", { class: "mg-changed", hidden: true }, text, open, reset);
  container.append(el("div", { class: "mg-changed-place", role: "status" }, box));
  return {
    update({ edits, switches }) {
      const counts = [
        [countEdits(edits), "changed.edits"],
        [countSwitches(switches), "changed.switches"],
      ];
      const parts = counts.filter(([count]) => count).map(([count, key]) => t(key, { count }));
      box.hidden = parts.length === 0;
      container.classList.toggle("mg-is-changed", !box.hidden);
      const said = t("changed.text", { what: parts.join(t("changed.and")) });
      setText(text, said);
      setText(open, t("changed.open"));
      setText(reset, t("changed.reset"));
    },
  };
}
