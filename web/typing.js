/** Free text: read by the server as a person types it, `我喜欢ai` as `我 喜欢 AI`. */

import { answered } from "./asking.js";
import { el, setAttribute, setText } from "./dom.js";

export function createTyping(container, { store, server, writing, alert, initial, t }) {
  const input = el("input", {
    type: "text",
    class: "mg-input mg-typing-input",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "done",
    oninput: () => input.removeAttribute("aria-invalid"),
  });
  const add = el("button", { type: "submit", class: "mg-button" });
  const form = el("form", { class: "mg-typing", onsubmit: submit }, input, add);
  container.append(form);
  let reading = false;

  async function submit(event) {
    event.preventDefault();
    const text = input.value;
    if (reading || text.trim() === "") {
      input.focus();
      return;
    }
    const length = [...text].length;
    const limit = initial.limits.text;
    if (length > limit) {
      refuse();
      alert.show(t("error.text_length", { length, limit }));
      return;
    }
    reading = true;
    const asked = server.read({ text, model: store.get().model });
    const answer = await answered(asked).finally(() => (reading = false));
    if (!answer) {
      refuse(); // the text stays, to be corrected
      return;
    }
    if (input.value === text) input.value = "";
    writing.append(answer.tokens);
  }

  function refuse() {
    input.setAttribute("aria-invalid", "true");
    input.focus();
  }

  return {
    update() {
      setAttribute(input, "aria-label", t("shell.type"));
      input.placeholder = t("shell.type_example");
      setText(add, t("shell.type_add"));
    },
  };
}
