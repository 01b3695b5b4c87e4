/** Doing what a person does to the page: only to what is there, not hidden and not at rest. */

import assert from "node:assert/strict";

/** @param {object} reading from reading.js */
export function createHands(window, { isShown, nameOf, word }) {
  const { document } = window;

  function touchable(element) {
    assert.ok(element, "there is nothing to touch");
    assert.ok(isShown(element), `hidden: ${nameOf(element)}`);
    assert.ok(!element.disabled, `disabled: ${nameOf(element)}`);
  }

  function fire(element, Kind, type, more = {}) {
    const event = new window[Kind](type, { bubbles: true, cancelable: true, ...more });
    if (type.startsWith("pointer")) event.pointerType = more.pointerType ?? "mouse";
    return element.dispatchEvent(event);
  }

  function click(element) {
    touchable(element);
    fire(element, "MouseEvent", "pointerdown");
    if (fire(element, "MouseEvent", "mousedown")) element.focus?.();
    fire(element, "MouseEvent", "pointerup");
    fire(element, "MouseEvent", "mouseup");
    if (typeof element.click === "function") element.click();
    else fire(element, "MouseEvent", "click");
  }

  /** The field's value typed anew; a select's chosen. */
  function fill(field, text) {
    touchable(field);
    field.focus();
    field.value = text;
    assert.equal(field.value, text, "the field takes no such value");
    fire(field, "Event", "input");
    if (field.localName === "select" || field.type === "range") fire(field, "Event", "change");
    else field.typed = true;
  }

  /** Press a key where the focus is; Enter and space do what a browser makes of them. */
  function press(key, more = {}) {
    const at = document.activeElement ?? document.body;
    const goes = fire(at, "KeyboardEvent", "keydown", { key, ...more });
    if (goes && (key === "Enter" || key === " ")) activate(at, key);
    fire(document.activeElement ?? document.body, "KeyboardEvent", "keyup", { key, ...more });
  }

  function activate(at, key) {
    if (at.localName === "button" || at.localName === "summary") {
      if (!at.disabled) at.click();
    } else if (key === "Enter" && at.localName === "input") {
      commit(at);
      if (at.form) at.form.requestSubmit();
    } else if (key === " " && (at.type === "checkbox" || at.type === "radio")) at.click();
  }

  /** Leaving a field that was typed in tells it so. */
  function commit(field) {
    if (!field.typed) return;
    field.typed = false;
    fire(field, "Event", "change");
  }

  document.addEventListener("focusout", (event) => commit(event.target), true);

  return {
    click,
    fill,
    press,
    fire,
    doubleClick(element) {
      click(element);
      if (element.isConnected && !element.disabled && isShown(element)) click(element);
      if (element.isConnected) fire(element, "MouseEvent", "dblclick");
    },
    clickWord: (text) => click(word(text)),
    /** Open what the sentence row keeps behind its last button, unless it is open. */
    openMore() {
      if (!isShown(document.querySelector(".mg-more"))) click(document.querySelector(".mg-more-button"));
    },
    /** Bring the area that `part` is in forward, where the working and a panel lie beside the map. */
    bringForward(part) {
      if (isShown(part)) return;
      const place = part.closest(".mg-working-area") ? 0 : 1;
      click(document.querySelectorAll(".mg-aside-choice")[place]);
    },
    /** Open a stage by its heading on the map. */
    openStage: (key) => click(document.querySelector(`[data-stage="${key}"] .mg-map-heading`)),
    /** Point at an element, and away from what was pointed at. */
    point: (element, more = {}) => fire(element, "MouseEvent", "pointerover", more),
  };
}
