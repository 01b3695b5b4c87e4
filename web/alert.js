/** The one place where the page says what went wrong, read out by screen readers. */

import { el } from "./dom.js";

export function createAlert(t) {
  const text = el("span", { class: "mg-alert-text" });
  const action = el("span");
  const close = el("button", { type: "button", class: "mg-alert-close", onclick: clear }, "×");
  const box = el("div", { class: "mg-alert", hidden: true }, text, action, close);
  const element = el("div", { role: "alert" }, box);
  let kind = null;
  let source = null; // the server's function that complained, if one did

  function show(message, ofKind = "input", from = null) {
    kind = ofKind;
    source = from;
    text.textContent = message;
    action.replaceChildren();
    close.setAttribute("aria-label", t("shell.close"));
    box.hidden = false;
  }

  /** Add a button to the message that is shown: what can be done about it. */
  function offer(label, run) {
    const button = el("button", { type: "button", class: "mg-button mg-alert-action", onclick: () => {
      clear();
      run();
    } }, label);
    action.replaceChildren(button);
  }

  /** Remove the message; with a kind, only a message of that kind. */
  function clear(ofKind) {
    if (typeof ofKind === "string" && ofKind !== kind) return;
    kind = null;
    text.textContent = "";
    action.replaceChildren();
    box.hidden = true;
  }

  /** The server function has succeeded: remove its earlier complaint. */
  function settled(from) {
    if (kind === "input" && source === from) clear();
  }

  return { element, show, offer, clear, settled };
}
