/**
 * Numbers that are not yet those of the present sentence step back: where an answer takes long,
 * or the connection is lost, nobody takes the old numbers for the new ones.
 */

const LATE_MS = 800; // longer than an answer takes, so that nothing flickers

export function markLateness(element, { store, viewer }) {
  let timer = null;

  function show() {
    timer = null;
    element.classList.toggle("mg-late", !viewer.isCurrent());
  }

  function check() {
    if (viewer.isCurrent()) {
      clearTimeout(timer);
      show();
    } else {
      timer ??= setTimeout(show, LATE_MS);
    }
  }

  store.subscribe(check);
  viewer.subscribe(check);
}
