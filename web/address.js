/**
 * The state as an address, so that a page can be kept, sent and reloaded.
 */

import { DEFAULT_STATE } from "./state.js";

/**
 * The state that an address holds, and the keys in it that could not be read.
 *
 * @param {string} search the address from its `?` on
 * @param {object} limits `initial` from ui/page.py
 * @returns {{state: object, ignored: string[]}}
 */
export function readAddress(search, initial) {
  const query = new URLSearchParams(search);
  const state = {};
  const ignored = [];
  if (query.has("tokens")) {
    const text = query.get("tokens");
    const tokens = text === "" ? [] : text.split("-").map(Number);
    const words = initial.view.model.words.length;
    const valid = tokens.every((id) => Number.isInteger(id) && id >= 0 && id < words);
    if (valid && tokens.length <= initial.limits.tokens) state.tokens = tokens;
    else ignored.push("tokens");
  }
  if (query.has("lang")) {
    if (["zh", "en"].includes(query.get("lang"))) state.lang = query.get("lang");
    else ignored.push("lang");
  }
  return { state, ignored };
}

/** Show `state` in the address bar, without a new entry in the browser's history. */
export function writeAddress(state) {
  const url = new URL(window.location.href);
  url.searchParams.set("tokens", state.tokens.join("-"));
  if (state.lang === DEFAULT_STATE.lang) url.searchParams.delete("lang");
  else url.searchParams.set("lang", state.lang);
  window.history.replaceState(window.history.state, "", url);
}
