/** The lesson's own example: LayerNorm of 1, 2, 3, 4, line by line. */

import { answered, createOnce } from "../../asking.js";
import { linesOf } from "../../working/lines.js";
import { el, replace } from "../../dom.js";

export function createExample({ server, t }) {
  const title = el("h3", { class: "mg-working-subtitle" });
  const note = el("p", { class: "mg-note" });
  const lines = el("div", { class: "mg-card-lines" });
  const element = el("section", { class: "mg-card mg-example" }, title, note, lines);
  let told = null;
  const load = createOnce(async () => {
    told = await answered(server.layer_norm_example({}));
  });

  return {
    element,
    async update(lang, texts) {
      title.textContent = t("lessons.example");
      note.textContent = t("lessons.example_note");
      if (!told) await load();
      if (!told) return;
      // Its numbers appear nowhere else on the page, so no operand is a link.
      const book = { texts, valueOf: () => undefined };
      replace(lines, linesOf(told.working, { book, lang, t }, { onOperand: () => {} }));
    },
  };
}
