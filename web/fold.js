/**
 * Which of many rows (or columns) a table shows: those its owner names first, more with each press
 * of a button, or those whose name holds what is typed. Of few all are shown, without controls.
 */

import { el, setAttribute, setText } from "./dom.js";

/** So many are shown without a choice; of more, the first FIRST. */
export const FEW = 16;
const FIRST = 10;

/**
 * @param {(key: string, values: object) => string} t
 * @param {() => void} changed called when a person chose others
 * @param {string} kind what is counted: `words` or `rows`, keys of the texts
 */
export function createFold(t, changed, kind = "words") {
  const search = el("input", {
    type: "search",
    class: "mg-input mg-fold-search",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    oninput: sought,
    onkeydown: escaped,
  });
  const said = el("span", { class: "mg-note mg-fold-said", "aria-live": "polite" });
  const more = el("button", { type: "button", class: "mg-button mg-quiet", onclick: () => grow(2 * limit) });
  const element = el("div", { class: "mg-fold", role: "group", hidden: true }, search, said, more);
  let limit = FIRST;

  function sought() {
    limit = FIRST;
    changed();
  }

  function escaped(event) {
    if (event.key !== "Escape" || search.value === "") return;
    event.preventDefault(); // it does not close the panel too
    search.value = "";
    sought();
  }

  function grow(count) {
    limit = count;
    changed();
  }

  return {
    element,
    /**
     * The places in `names` that are shown.
     *
     * @param {string[]} names of all
     * @param {number[]} first places in the order in which they are shown; the others follow
     * @param {number[]} always places that are shown whatever is sought
     */
    shown(names, first = [], always = []) {
      element.hidden = names.length <= FEW;
      if (element.hidden) return names.map((_, place) => place);
      const text = search.value.trim().toLowerCase();
      const all = [...new Set([...always, ...first, ...names.keys()])].filter((place) => place < names.length);
      const found = text ? matching(all, names, text) : all;
      const places = [...new Set([...found.slice(0, limit), ...all.filter((place) => always.includes(place))])];
      tell(names.length, found, places, text);
      return places;
    },
    /** Show as many as it takes to show the one at `place` of the order given to `shown`. */
    reveal(place) {
      search.value = "";
      while (limit <= place) limit *= 2;
      changed();
    },
  };

  function tell(count, found, places, text) {
    const name = t(`fold.search_${kind}`, { count });
    setAttribute(search, "aria-label", name);
    setAttribute(search, "placeholder", name);
    const left = found.length - Math.min(limit, found.length);
    setText(said, text && found.length === 0 ? t("fold.none", { text: search.value.trim() }) : t(`fold.shown_${kind}`, { shown: places.length, count }));
    more.hidden = left === 0;
    setText(more, t("fold.more", { count: Math.min(limit, left) }));
  }
}

/** Those that hold `text`, the whole name first, then those that begin with it. */
function matching(places, names, text) {
  const rank = (name) => (name === text ? 0 : name.startsWith(text) ? 1 : name.includes(text) ? 2 : 3);
  const ranked = places.map((place) => [place, rank((names[place] ?? "").toLowerCase())]).filter(([, at]) => at < 3);
  return ranked.sort(([, one], [, other]) => one - other).map(([place]) => place);
}
