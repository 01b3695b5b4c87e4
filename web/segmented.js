/** One choice of a few, side by side: radio buttons that look like one control. */

import { el, setText } from "./dom.js";

let groups = 0;

/**
 * @param {string[]} values
 * @param {(value: string) => void} onChoice called when a person chooses
 * @returns {{element: HTMLElement, update: (shown: object) => void}} `update({legend, labels:
 *   {value: text}, chosen, disabled: [values], hidden: [values]})`
 */
export function createSegmented(values, onChoice) {
  groups += 1;
  const name = `mg-segmented-${groups}`;
  const legend = el("legend", { class: "mg-hidden" });
  const options = values.map((value) => createOption(name, value, onChoice));
  const element = el(
    "fieldset",
    { class: "mg-segmented" },
    legend,
    options.map((option) => option.element),
  );
  return {
    element,
    update({ legend: text, labels, chosen, disabled = [], hidden = [] }) {
      setText(legend, text);
      for (const { value, input, label, element: option } of options) {
        option.hidden = hidden.includes(value);
        setText(label, labels[value]);
        input.checked = value === chosen;
        input.disabled = disabled.includes(value);
      }
    },
  };
}

function createOption(name, value, onChoice) {
  const input = el("input", {
    type: "radio",
    name,
    value,
    class: "mg-hidden",
    onchange: () => onChoice(value),
  });
  const label = el("span", { class: "mg-segment" });
  return { value, input, label, element: el("label", { class: "mg-option" }, input, label) };
}
