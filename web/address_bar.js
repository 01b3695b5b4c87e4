/** Keeps the browser's address on the state, without new entries in its history. */

import { addressOf } from "./address.js";

// Safari refuses more than 100 changes in 30 seconds, and generating makes six a second.
const SPACING_MS = 300;

export function keepAddress(store, view = window) {
  let timer = null;
  let last = -SPACING_MS;

  function write() {
    timer = null;
    last = view.performance.now();
    const { location, history } = view;
    const query = addressOf(store.get(), location.search);
    if (query === location.search) return;
    history.replaceState(history.state, "", location.pathname + query + location.hash);
  }

  function later() {
    if (timer !== null) return;
    const wait = SPACING_MS - (view.performance.now() - last);
    if (wait <= 0) write();
    else timer = view.setTimeout(write, wait);
  }

  // Whoever leaves within the spacing still finds the last word on return.
  view.addEventListener("beforeunload", write);
  store.subscribe(later);
}
