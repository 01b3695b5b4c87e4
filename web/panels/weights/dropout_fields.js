/** Dropout's rate and seed; the server checks typed values before they take effect. */

import { answered } from "../../asking.js";
import { el } from "../../dom.js";
import { viewRequest } from "../../viewer.js";

export function createDropoutFields({ store, t, server }) {
  const rate = field();
  const seed = field();
  const element = el("div", { class: "mg-dropout" }, rate.element, seed.element);
  let offered = 0.1;

  function field() {
    const label = el("span", { class: "mg-field-label" });
    const input = el("input", {
      type: "text",
      inputmode: "decimal",
      class: "mg-input mg-field-input",
      autocomplete: "off",
      onchange: commit,
      onkeydown: (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault(); // it does not close the panel too
        restore();
      },
    });
    return { label, input, element: el("label", { class: "mg-field" }, label, input) };
  }

  async function commit() {
    const asked = { ...viewRequest(store.get()), rate: rate.input.value.trim(), seed: seed.input.value.trim() };
    const answer = await answered(server.set_dropout(asked));
    if (answer) store.set({ switches: answer.switches });
    else restore();
  }

  function restore() {
    const { dropout, dropout_seed: drawn } = store.get().switches;
    rate.input.value = String(dropout ?? offered);
    seed.input.value = String(drawn ?? 0);
  }

  return {
    element,
    label() {
      rate.label.textContent = t("weights.rate");
      seed.label.textContent = t("weights.seed");
    },
    update({ shown_dropout: shown }) {
      offered = shown;
      if (!element.contains(document.activeElement)) restore();
    },
    toggle() {
      const { dropout, ...others } = store.get().switches;
      store.set({ switches: dropout > 0 ? others : { ...others, dropout: offered, dropout_seed: others.dropout_seed ?? 0 } });
    },
  };
}
