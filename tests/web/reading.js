/** Reading the page as a person does: by role and name, and only what is not hidden. */

import assert from "node:assert/strict";

/** What the bars show for 我 喜欢, the lesson's prompt A: word, probability, logit. */
export const PROMPT_A = [
  ["我", "0.1742", "1.1128"],
  ["喜欢", "0.0037", "−2.7390"],
  ["AI", "0.0124", "−1.5262"],
  ["学习", "0.4835", "2.1336"],
  ["猫", "0.3261", "1.7397"],
];

const ROLES = {
  button: "button, [role=button], summary",
  checkbox: "input[type=checkbox]",
  columnheader: "thead th, [role=columnheader], th[scope=col]",
  combobox: "select",
  grid: "[role=grid]",
  gridcell: "[role=gridcell]",
  group: "[role=group], fieldset",
  heading: "h1, h2, h3, h4",
  link: "a[href]",
  navigation: "nav",
  radio: "input[type=radio]",
  row: "tr, [role=row]",
  rowheader: "tbody th, [role=rowheader], th[scope=row]",
  slider: "input[type=range]",
  status: "[role=status]",
  tab: "[role=tab]",
  table: "table",
  tabpanel: "[role=tabpanel]",
  textbox: "input:not([type]), input[type=text], input[type=search], textarea",
};

export function createReading(window) {
  const { document } = window;
  const inPage = (scope) => (typeof scope === "string" ? one(scope) : (scope ?? document));
  const all = (selector, scope) => [...inPage(scope).querySelectorAll(selector)];

  /** The one element that `selector` finds. */
  function one(selector, scope) {
    const found = all(selector, scope);
    assert.equal(found.length, 1, `${found.length} of ${selector}`);
    return found[0];
  }

  /** All of `role` that can be seen, called `name` (whole, or a pattern) if that is given. */
  function every(role, name = null, scope = null) {
    const isCalled = (said) => (name instanceof RegExp ? name.test(said) : said === name);
    return all(ROLES[role], scope)
      .filter((element) => name === null || isCalled(nameOf(element)))
      .filter(isShown);
  }

  function named(role, name, scope = null) {
    const found = every(role, name, scope);
    const others = () => every(role, null, scope).map(nameOf).slice(0, 60).join(" | ");
    assert.equal(found.length, 1, `${found.length} of ${role} ${name} among: ${others()}`);
    return found[0];
  }

  return {
    all,
    one,
    every,
    named,
    button: (name, scope) => named("button", name, scope),
    /** A field by what it is called, whatever its kind. */
    field(name, scope) {
      const found = all("input, select, textarea", scope).filter(
        (element) => isShown(element) && nameOf(element) === name,
      );
      assert.equal(found.length, 1, `${found.length} fields ${name}`);
      return found[0];
    },
    /** The text of what `selector` finds, in one line. */
    text: (selector, scope) => textOf(one(selector, scope)),
    texts: (selector, scope) => all(selector, scope).map(textOf),
    /** The words of the sentence, without what only a screen reader says. */
    chips: () => all(".mg-chip").map((chip) => chip.firstChild.textContent),
    /** `[word, probability, logit]` of each row of the next-word bars. */
    bars: () =>
      all(".mg-bars tbody tr").map((row) =>
        [...row.querySelectorAll("th, .mg-number")].map((cell) => cell.textContent),
      ),
    /** What the page says went wrong, or nothing. */
    alert: () => textOf(document.querySelector(".mg-alert-text")),
    /** A word of the palette. */
    word: (word) => named("button", new RegExp(`^${word}\\b|^${word}($| )`), ".mg-palette"),
    isShown,
    nameOf,
    textOf,
  };
}

/** Whether nothing hides the element but perhaps the style sheet. */
export function isShown(element) {
  if (!element.isConnected) return false;
  let inner = null; // a closed `details` shows its summary alone
  for (let at = element; at; inner = at, at = at.parentElement) {
    if (at.hasAttribute("hidden") || at.hasAttribute("inert")) return false;
    const isClosed = at.localName === "details" && !at.hasAttribute("open");
    if (isClosed && inner && inner.localName !== "summary") return false;
  }
  return true;
}

/** What an element is called, as a screen reader says it. */
export function nameOf(element) {
  const by = element.getAttribute("aria-labelledby");
  if (by) {
    const parts = by.split(/\s+/).map((id) => element.ownerDocument.getElementById(id));
    return parts.map(textOf).join(" ");
  }
  const label = element.getAttribute("aria-label");
  if (label) return label;
  const labels = labelsOf(element);
  if (labels.length) return labels.map(labelText).join(" ");
  if (element.localName === "table" && element.caption) return textOf(element.caption);
  if (element.localName === "fieldset") return textOf(element.querySelector("legend"));
  return textOf(element) || element.getAttribute("placeholder") || "";
}

const LABELLED = new Set(["button", "input", "output", "select", "textarea"]);

/** `element.labels`, which jsdom finds by walking through the document for every button. */
function labelsOf(element) {
  if (!LABELLED.has(element.localName)) return [];
  const around = element.closest("label");
  const named = element.id ? element.ownerDocument.querySelectorAll(`label[for="${element.id}"]`) : [];
  return [...(around ? [around] : []), ...named];
}

/** A label's own words, without those of the field inside it. */
function labelText(label) {
  const copy = label.cloneNode(true);
  for (const field of copy.querySelectorAll("select, textarea, button")) field.remove();
  return textOf(copy);
}

/** Text in one line, without what is hidden from everybody or from a screen reader. */
export function textOf(element) {
  return spoken(element).replace(/\s+/g, " ").trim();
}

function spoken(element) {
  let text = "";
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === TEXT) text += node.data;
    else if (node.nodeType === ELEMENT && !isSilent(node)) text += spoken(node);
  }
  return text;
}

const [ELEMENT, TEXT] = [1, 3];

const isSilent = (element) =>
  element.hasAttribute("hidden") || element.getAttribute("aria-hidden") === "true";
