/**
 * Dims numbers that do not belong to the current sentence yet (a slow answer, a lost connection),
 * so that they are not mistaken for the new ones.
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
