/** How the next word is chosen: the most probable one, or drawn, and then how. */

import { el, setAttribute, setText } from "./dom.js";
import { isSetting } from "./sampling_settings.js";
import { createSegmented } from "./segmented.js";
import { readField } from "./typed_number.js";

const MODES = ["argmax", "sample"];
const TOLD = "mg-sampling-told";
const FIELDS = ["temperature", "top_k", "top_p", "seed"];

export function createChoosing(container, app) {
  const { store, t, alert } = app;
  const set = (patch) => store.set({ sampling: { ...store.get().sampling, ...patch } });
  const mode = createSegmented(MODES, (chosen) => set({ mode: chosen }));
  const fields = FIELDS.map((name) => createField(name, set, alert));
  const told = el("p", { class: "mg-note mg-draw-note", id: TOLD, "aria-live": "polite" }); // which draw is next, or what is wrong
  const settings = el(
    "div",
    { class: "mg-settings" },
    fields.map((field) => field.element),
    told,
  );
  container.append(el("div", { class: "mg-choosing" }, mode.element, settings));

  return {
    update({ sampling, drawn }) {
      mode.update({
        legend: t("shell.choosing"),
        labels: { argmax: t("shell.argmax"), sample: t("shell.sample") },
        chosen: sampling.mode,
      });
      settings.hidden = sampling.mode !== "sample";
      for (const field of fields) field.update(sampling[field.name], t);
      const wrong = FIELDS.filter((name) => !isSetting(name, sampling[name]));
      told.classList.toggle("mg-problem", wrong.length > 0);
      setText(told, wrong.map((name) => needed(name, t)).join(" ") || t("shell.draw", { number: drawn + 1 }));
    },
  };
}

function needed(name, t) {
  return t("shell.field_needs", { name: t(`shell.${name}`), what: t(`shell.${name}_range`) });
}

/** A number as the person typed it; what it cannot be is said at once, and refused by the server. */
function createField(name, set, alert) {
  const input = el("input", {
    type: "text",
    inputmode: "decimal",
    class: "mg-input mg-field-input",
    autocomplete: "off",
    oninput: () => {
      alert.clear("input");
      set({ [name]: readField(input.value) });
    },
  });
  const label = el("span", { class: "mg-field-label" });
  return {
    name,
    element: el("label", { class: "mg-field" }, label, input),
    update(value, t) {
      setText(label, t(`shell.${name}`));
      input.title = t(`shell.${name}_help`);
      const isRight = isSetting(name, value);
      setAttribute(input, "aria-invalid", !isRight && "true");
      setAttribute(input, "aria-describedby", !isRight && TOLD);
      if (document.activeElement !== input) input.value = String(value);
    },
  };
}
