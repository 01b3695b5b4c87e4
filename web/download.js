/** A file for the person to keep, from the base64 in which a server call brings it. */

import { el } from "./dom.js";

const KEPT_URL_MS = 60_000; // a browser may read the content after the click has returned

export function saveFile(name, base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes]));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_URL_MS);
}
