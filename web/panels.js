/**
 * The tabs below the network: a module a panel, loaded and mounted when first opened. One that
 * shows results, which a learner may have hidden, is covered as long as they are.
 */

import { createCover } from "./cover.js";
import { el, setAttribute, setText } from "./dom.js";

/** Where a key leads from tab `at` of `count`. */
const KEYS = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (at, count) => count - 1,
};

export function createPanels(container, app) {
  const { store, t, initial } = app;
  const entries = initial.panels.map((panel) => createEntry(panel, app, () => update(...shown)));
  let shown = null; // the state and the view of the last update
  const list = el("div", { role: "tablist", class: "mg-tabs", onkeydown: moveFocus });
  list.append(...entries.map((entry) => entry.tab));
  if (entries.length) container.append(list, ...entries.map((entry) => entry.body));

  function moveFocus(event) {
    const at = entries.findIndex((entry) => entry.tab === document.activeElement);
    const go = KEYS[event.key];
    if (at < 0 || !go) return;
    event.preventDefault();
    const next = entries[go(at, entries.length)];
    next.tab.focus();
    store.set({ panel: next.id });
  }

  let inView = null; // the open tab and the language, when it was last brought into view
  function update(state, view) {
    shown = [state, view];
    setAttribute(list, "aria-label", t("shell.panels"));
    const open = entries.find((entry) => entry.id === state.panel) ?? entries[0];
    for (const entry of entries) entry.update(entry === open, state, view);
    const now = `${open?.id} ${state.lang}`;
    if (open && now !== inView) bringIntoView(open.tab, list);
    inView = now;
  }

  return { update };
}

/** Along the row of tabs only: the page itself stays where it is. */
function bringIntoView(tab, list) {
  const [one, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
}

/**
 * @param {{id: string, shows_results: boolean}} panel from ui/panels
 * @param {() => void} onLoad called when its module has come
 */
function createEntry({ id, shows_results: showsResults }, app, onLoad) {
  const tab = el("button", {
    type: "button",
    role: "tab",
    class: "mg-tab",
    id: `mg-tab-${id}`,
    "aria-controls": `mg-panel-${id}`,
    onclick: () => app.store.set({ panel: id }),
  });
  const body = el("div", {
    role: "tabpanel",
    class: "mg-panel",
    id: `mg-panel-${id}`,
    "aria-labelledby": `mg-tab-${id}`,
    hidden: true,
  });
  const cover = showsResults ? createCover(app, body) : null;
  let loading = null;
  let mounted = null;
  let wasOpen = false; // when it was last updated
  let drawn = 0; // the version of the hidden results it was drawn with

  async function load() {
    try {
      const { mount } = await import(`./panels/${id}.js`);
      mounted = mount(body, app);
      onLoad();
    } catch (error) {
      body.append(el("p", { class: "mg-note", role: "alert" }, app.t("shell.not_loaded")));
      window.reportError(error);
    }
  }

  return {
    id,
    tab,
    body,
    update(isOpen, state, view) {
      setText(tab, app.t(`${id}.title`));
      setAttribute(tab, "aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      body.hidden = !isOpen;
      if (cover?.update()) return;
      if (isOpen) loading ??= load();
      if (!mounted) return;
      if (isOpen && !wasOpen) mounted.show?.();
      if (!isOpen && wasOpen) mounted.hide?.();
      wasOpen = isOpen;
      // Newly hidden results are removed from closed panels too.
      if (isOpen || drawn !== app.veil.changes()) mounted.update(state, view);
      drawn = app.veil.changes();
    },
  };
}
