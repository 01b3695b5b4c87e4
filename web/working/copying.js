/** Copy text to the clipboard, with or without the permission for it. */

import { el } from "../dom.js";

/** Copies `text` and resolves to whether that worked. `near`: where a temporary element may be inserted. */
export async function copyText(text, near) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

/** The older API, which needs only a click, no permission. */
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
