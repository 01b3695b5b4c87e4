/**
 * Key and input listeners that respect input methods (IME): while one is composing, its Enter
 * accepts a candidate, its arrows choose one, and its letters are unfinished words.
 */

/** keyCode of a key that an input method took; Safari says only this of the Enter that ends one. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Hand `handler` the keys that are the page's; `isFirst`: before the elements inside get them. */
export function listenForKeys(element, handler, isFirst = false) {
  element.addEventListener("keydown", (event) => {
    if (!event.isComposing && event.keyCode !== TAKEN_BY_INPUT_METHOD) handler(event);
  }, isFirst);
}

/** Call `handler` whenever what is typed is whole. */
export function listenForText(element, handler) {
  element.addEventListener("input", (event) => {
    if (!event.isComposing) handler(event);
  });
  // Chromium's last input event still counts as composing; this one comes after it.
  element.addEventListener("compositionend", handler);
}
