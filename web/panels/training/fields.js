/** The number fields of the form: sizes, then training settings. */

import { el } from "../../dom.js";

export const SIZES = ["num_layers", "num_heads", "model_dim", "context_length"];
export const NUMBERS = [...SIZES, "dropout", "learning_rate", "steps", "seed"];

/** The field an error belongs to, where its code is not the field's name. */
const ABOUT = { heads: "num_heads" };

/**
 * Values stay text here; the server checks that they are numbers in range.
 *
 * @param {(name: string) => void} onEdit called when a person edits a field
 */
export function createFields(t, onEdit) {
  const fields = NUMBERS.map((name) => createField(name, t, onEdit));
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  return {
    element: el("div", { class: "mg-training-fields" }, fields.map((field) => field.element)),
    get: (name) => byName[name].input.value.trim(),
    values: () => Object.fromEntries(fields.map(({ name, input }) => [name, input.value.trim()])),
    fill(values) {
      for (const { name, input } of fields) if (name in values) input.value = values[name];
    },
    /** Mark the field that an error is about; editing it removes the mark. */
    refuse: ({ field, code }) => byName[field ?? ABOUT[code] ?? code]?.input.setAttribute("aria-invalid", "true"),
    accept() {
      for (const { input } of fields) input.removeAttribute("aria-invalid");
    },
    limit(limits) {
      for (const { name, input } of fields) {
        if (limits[name]) input.title = `1 – ${limits[name]}`;
      }
    },
    /** @param {boolean} sizesLocked the sizes are fixed by the weights it starts from */
    update(sizesLocked) {
      for (const field of fields) field.update(sizesLocked && SIZES.includes(field.name));
    },
  };
}

function createField(name, t, onEdit) {
  const label = el("span", { class: "mg-field-label" });
  const input = el("input", { class: "mg-input", name, inputmode: "decimal", autocomplete: "off", oninput: () => onEdit(name) });
  return {
    name,
    input,
    element: el("label", { class: "mg-training-field" }, label, input),
    update(locked) {
      label.textContent = t(`training.field_${name}`);
      input.readOnly = locked;
    },
  };
}
