/**
 * Writes the state into the browser's address, without new history entries.
 *
 * Immediately, so that a reload right after a click loses nothing. Safari refuses more than 100
 * changes in 30 seconds, and generating makes six a second, so writes are limited by a token
 * bucket: when it is empty, a write waits for the next token.
 */

import { addressOf } from "./address.js";

const SUPPLY = 25;
const REFILL_MS = 400; // 25 + 30 s / 0.4 s = 100

/** @param {string[]} [always] parts of the state that every address names, see `addressOf` */
export function keepAddress(store, view = window, always = []) {
  let supply = SUPPLY;
  let filled = view.performance.now();
  let timer = null;

  function refill() {
    const now = view.performance.now();
    const more = Math.floor((now - filled) / REFILL_MS);
    supply = Math.min(SUPPLY, supply + more);
    filled += more * REFILL_MS;
  }

  function write() {
    timer = null;
    const { location, history } = view;
    const query = addressOf(store.get(), location.search, always);
    if (query === location.search) return;
    supply -= 1;
    history.replaceState(history.state, "", location.pathname + query + location.hash);
  }

  store.subscribe(() => {
    if (timer !== null) return;
    refill();
    if (supply > 0) write();
    else timer = view.setTimeout(write, REFILL_MS);
  });
}
