/** The working of the chosen number. */

import { el, replace } from "../../dom.js";
import { createOnce, refusal } from "../../asking.js";

export function createWorking({ t, server }) {
  const heading = el("h3");
  const lines = el("ol", { class: "mg-gradient-lines" });
  const note = el("p", { class: "mg-note" });
  const element = el("section", { class: "mg-gradient-working", "aria-live": "polite" }, heading, note, lines);
  const ask = createOnce((question) => server.gradient_card(question), JSON.stringify);
  let card = null;
  let asked = null;

  function update() {
    heading.textContent = t("gradients.working");
    note.textContent = t(card ? `gradients.note.${kindOf(card.key)}` : "gradients.choose");
    replace(lines, (card?.lines ?? []).map((line) => el("li", {}, `${line.expression} ${line.relation} ${line.result}`)));
  }

  return {
    element,
    update,
    clear() {
      card = null;
      asked = null;
      update();
    },
    async open(model, key, cell) {
      const question = { model, key, cell };
      asked = question;
      try {
        const answer = await ask(question);
        if (asked !== question) return;
        card = answer;
        update();
        element.scrollIntoView({ block: "nearest" });
      } catch (error) {
        refusal(error);
      }
    },
  };
}

/** gradients.lm_head.bias -> weight; gradients.loss -> loss. */
function kindOf(key) {
  const name = key.slice("gradients.".length);
  return name.startsWith("lm_head") ? "weight" : name;
}
