/** Putting a text on the clipboard, with or without the permission for it. */

import { el } from "../dom.js";

/** Whether `text` is on the clipboard now. `near` is where a helper element may stand. */
export async function copyText(text, near) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

/** The older way, which needs no permission but a click. */
function copyBySelection(text, near) {
  const field = el("textarea", { class: "mg-hidden", readonly: true, "aria-hidden": "true" });
  field.value = text;
  near.append(field);
  field.select();
  let isCopied;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    isCopied = false;
  }
  field.remove();
  return isCopied;
}
