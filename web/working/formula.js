/** The formulas, as MathML from web/formulas.json. */

let loading = null;

/** `{name: MathML text}`, loaded once. */
export function loadFormulas() {
  loading ??= fetch(new URL("../formulas.json", import.meta.url)).then((response) =>
    response.ok ? response.json() : {},
  );
  return loading;
}

/** Put the formula called `name` into `place`, unless another one was requested meanwhile. */
export async function showFormula(place, name) {
  if (place.dataset.formula === name) return;
  place.dataset.formula = name;
  const text = (await loadFormulas())[name];
  if (place.dataset.formula !== name || !text) return;
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  place.replaceChildren(document.importNode(parsed.documentElement, true));
}
