/**
 * Building elements without ever parsing HTML: data only becomes text nodes and attributes.
 */

import { listenForKeys, listenForText } from "./composing.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An HTML element.
 *
 * @param {string} tag
 * @param {object} [attributes] `class`, `hidden`, `aria-label`…: attributes. `true` sets an
 *   empty attribute; `false`, `null` and `undefined` leave it out. `onclick: fn` adds a
 *   listener (`onkeydown` and `oninput` wait for an input method); `style: {"--share": 0.4, color: "…"}` sets properties; `dataset: {key: value}`.
 * @param {...(Node|string|number|null|false|Array)} children nested arrays are flattened
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** An SVG element; arguments as for `el`. */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/** Put `children` in place of whatever `parent` holds. */
export function replace(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/** The text of an element that holds nothing else; written only where it differs. */
export function setText(element, text) {
  const first = element.firstChild;
  if (first === null || first !== element.lastChild || first.nodeType !== Node.TEXT_NODE) {
    element.textContent = text;
  } else if (first.data !== text) {
    first.data = text;
  }
}

/** An attribute, written only where it differs; `false` and `null` take it away. */
export function setAttribute(element, name, value) {
  if (value === false || value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** A style property, written only where it differs. */
export function setStyle(element, name, value) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    give(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

function give(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") {
    listen(element, name.replace(/^on/, ""), value);
  } else if (name === "style" && typeof value === "object") {
    for (const [property, setting] of Object.entries(value)) {
      element.style.setProperty(property, String(setting));
    }
  } else if (name === "dataset") {
    Object.assign(element.dataset, value);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function listen(element, kind, handler) {
  if (kind === "keydown") listenForKeys(element, handler);
  else if (kind === "input") listenForText(element, handler);
  else element.addEventListener(kind, handler);
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
