/** How the next word is chosen: the most probable one, or drawn, and then how. */

import { el, setText } from "./dom.js";
import { createSegmented } from "./segmented.js";
import { readField } from "./typed_number.js";

const MODES = ["argmax", "sample"];
const FIELDS = ["temperature", "top_k", "top_p", "seed"];

export function createChoosing(container, app) {
  const { store, t, generator, alert } = app;
  const set = (patch) => store.set({ sampling: { ...store.get().sampling, ...patch } });
  const mode = createSegmented(MODES, (chosen) => set({ mode: chosen }));
  const fields = FIELDS.map((name) => createField(name, set, alert));
  const draw = el("p", { class: "mg-note mg-draw-note" });
  const settings = el(
    "div",
    { class: "mg-settings" },
    fields.map((field) => field.element),
    draw,
  );
  container.append(el("div", { class: "mg-choosing" }, mode.element, settings));
  generator.onRefusal((code) => fields.find(({ name }) => name === code)?.refuse());

  return {
    update({ sampling, drawn }) {
      mode.update({
        legend: t("shell.choosing"),
        labels: { argmax: t("shell.argmax"), sample: t("shell.sample") },
        chosen: sampling.mode,
      });
      settings.hidden = sampling.mode !== "sample";
      for (const field of fields) field.update(sampling[field.name], t);
      setText(draw, t("shell.draw", { number: drawn + 1 }));
    },
  };
}

/** A number as the person typed it: what is no number is sent on, and the server says why. */
function createField(name, set, alert) {
  const input = el("input", {
    type: "text",
    inputmode: "decimal",
    class: "mg-input mg-field-input",
    autocomplete: "off",
    oninput: () => {
      input.removeAttribute("aria-invalid");
      alert.clear("input");
      set({ [name]: readField(input.value) });
    },
  });
  const label = el("span", { class: "mg-field-label" });
  return {
    name,
    element: el("label", { class: "mg-field" }, label, input),
    refuse: () => input.setAttribute("aria-invalid", "true"),
    update(value, t) {
      setText(label, t(`shell.${name}`));
      input.title = t(`shell.${name}_help`);
      if (document.activeElement !== input) input.value = String(value);
    },
  };
}
