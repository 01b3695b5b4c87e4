/** A file for the person to keep, from the base64 in which a server call brings it. */

import { fromBase64 } from "./base64.js";
import { el } from "./dom.js";

const KEPT_URL_MS = 60_000; // a browser may read the content after the click has returned

export function saveFile(name, base64) {
  const url = URL.createObjectURL(new Blob([fromBase64(base64)]));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_URL_MS);
}
