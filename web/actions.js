/** Append one, stop, undo in the row; generate many and clear in what opens from it. */

import { el, setAttribute, setText } from "./dom.js";
import { readNumber, twoReadings } from "./typed_number.js";

const FIRST_COUNT = "6";

/** @param {{row: HTMLElement, more: HTMLElement}} places */
export function createActions(places, app) {
  const { store, generator, writing, history, t } = app;
  const parts = {
    append: button("mg-primary", () => begin(1)),
    generate: button("", () => generateMany()),
    stop: button("", () => generator.stop()),
    undo: button("mg-quiet mg-undo", () => writing.undo()),
    clear: button("mg-quiet", () => writing.clear()),
  };
  const count = el("input", {
    type: "text",
    inputmode: "numeric",
    class: "mg-input mg-count",
    value: FIRST_COUNT,
    oninput: () => count.removeAttribute("aria-invalid"),
    onkeydown: (event) => event.key === "Enter" && generateMany(),
  });
  const unit = el("span", { class: "mg-unit" });
  places.row.append(parts.append, parts.stop, parts.undo);
  places.more.append(
    el("div", { class: "mg-actions" }, el("div", { class: "mg-generate" }, parts.generate, count, unit), parts.clear),
  );

  function generateMany() {
    if (generator.running()) return;
    const wanted = readCount(count.value, app);
    if (wanted) begin(wanted);
    else count.setAttribute("aria-invalid", "true");
  }

  function begin(wanted) {
    if (mayAppend(wanted, app)) generator.start(wanted);
  }

  function enable() {
    const running = generator.running();
    parts.generate.disabled = running;
    parts.stop.hidden = !running;
    parts.undo.disabled = !history.canUndo();
    parts.clear.disabled = store.get().tokens.length === 0;
  }
  generator.subscribe(enable);
  store.subscribe(enable);

  return {
    update() {
      for (const [name, element] of Object.entries(parts)) {
        setText(element, t(`shell.${name}`));
      }
      setAttribute(count, "aria-label", t("shell.count"));
      setText(unit, t("shell.count_unit"));
      enable();
    },
  };
}

function button(kind, onclick) {
  return el("button", { type: "button", class: `mg-button ${kind}`, onclick });
}

/** The number of words in `text`; says what is wrong and returns null if there is none. */
function readCount(text, { initial, alert, t }) {
  const highest = initial.limits.count;
  const wanted = readNumber(text);
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= highest) return wanted;
  const unclear = twoReadings(text);
  if (unclear) {
    alert.show(t("error.number_comma", unclear));
    return null;
  }
  alert.show(t("error.count", { lowest: 1, highest, value: text.trim() || "''" }));
  return null;
}

/** Whether `wanted` words can follow the sentence; says why if not. */
function mayAppend(wanted, { store, viewer, initial, alert, t }) {
  alert.clear("input");
  const length = store.get().tokens.length;
  const limit = initial.limits.tokens;
  if (length === 0) {
    alert.show(t("error.empty_prompt", { words: viewer.view().model.words.join(" ") }));
    return false;
  }
  if (length + wanted > limit) {
    alert.show(t("error.token_limit", { length: length + wanted, limit }));
    return false;
  }
  return true;
}
