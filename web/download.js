/** Files for the person to keep. */

import { fromBase64 } from "./base64.js";
import { el } from "./dom.js";

const KEPT_URL_MS = 60_000; // a browser may read the content after the click has returned

/** A file from the base64 in which a server call brings it. */
export function saveFile(name, base64) {
  saveBlob(name, new Blob([fromBase64(base64)]));
}

export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_URL_MS);
}
