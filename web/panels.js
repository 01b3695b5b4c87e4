/**
 * The tools: a tab each at the top of the page, and a module a panel, loaded and mounted when
 * first opened. One that shows results, which a learner may have hidden, is covered as long as
 * they are.
 */

import { createCover } from "./cover.js";
import { el, setAttribute, setText } from "./dom.js";

const RETRY_MS = 2000; // the file of a panel could not be read

/** Where a key leads from tab `at` of `count`. */
const KEYS = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (at, count) => count - 1,
};

/**
 * @param {HTMLElement} ways where the tabs stand
 * @param {HTMLElement} container where the panels open
 */
export function createPanels(ways, container, app) {
  const { store, t, initial } = app;
  const entries = initial.panels.map((panel) => createEntry(panel, app, () => update(...shown)));
  let shown = null; // the state and the view of the last update
  const groups = [...new Set(entries.map((entry) => entry.way))].map((way) => ({ way, name: el("span", { class: "mg-way" }) }));
  const list = el("div", { role: "tablist", class: "mg-tabs", onkeydown: moveFocus });
  for (const { way, name } of groups) {
    const tabs = entries.filter((entry) => entry.way === way).map((entry) => entry.tab);
    list.append(el("div", { class: "mg-way-group", role: "presentation" }, tabs.length > 1 ? name : null, tabs));
  }
  if (entries.length) {
    ways.append(list);
    container.append(...entries.map((entry) => entry.body));
  }

  function moveFocus(event) {
    const at = entries.findIndex((entry) => entry.tab === document.activeElement);
    const go = KEYS[event.key];
    if (at < 0 || !go) return;
    event.preventDefault();
    const next = entries[go(at, entries.length)];
    next.tab.focus();
    store.set({ panel: next.id });
  }

  function update(state, view) {
    shown = [state, view];
    setAttribute(list, "aria-label", t("shell.panels"));
    for (const { way, name } of groups) setText(name, t(`shell.way_${way}`));
    const open = entries.find((entry) => entry.id === state.panel) ?? null;
    for (const entry of entries) entry.update(entry === open, state, view);
    const reached = open ?? entries[0];
    for (const entry of entries) entry.tab.tabIndex = entry === reached ? 0 : -1;
  }

  return { update };
}

/**
 * @param {{id: string, way: string, shows_results: boolean}} panel from ui/panels
 * @param {() => void} onLoad called when its module has come
 */
function createEntry({ id, way, shows_results: showsResults }, app, onLoad) {
  const { store } = app;
  const tab = el("button", {
    type: "button",
    role: "tab",
    class: "mg-tab",
    id: `mg-tab-${id}`,
    "aria-controls": `mg-panel-${id}`,
    onclick: () => store.set({ panel: store.get().panel === id ? null : id }),
  });
  const body = el("div", {
    role: "tabpanel",
    class: "mg-panel",
    id: `mg-panel-${id}`,
    "aria-labelledby": `mg-tab-${id}`,
    hidden: true,
  });
  const cover = showsResults ? createCover(app, body) : null;
  const failed = el("p", { class: "mg-note", role: "alert", hidden: true });
  body.append(failed);
  let loading = null;
  let mounted = null;
  let wasOpen = false; // when it was last updated
  let drawn = 0; // the version of the hidden results it was drawn with

  async function load() {
    let module;
    try {
      [module] = await Promise.all([import(`./panels/${id}.js`), app.panelTexts()]);
    } catch {
      setText(failed, app.t("shell.not_loaded"));
      failed.hidden = false;
      setTimeout(() => (body.hidden ? (loading = null) : load()), RETRY_MS); // if closed, when it is opened
      return;
    }
    failed.remove();
    mounted = module.mount(body, app);
    onLoad();
  }

  return {
    id,
    way,
    tab,
    body,
    update(isOpen, state, view) {
      setText(tab, app.t(`${id}.tab`));
      setAttribute(tab, "title", app.t(`${id}.title`));
      setAttribute(tab, "aria-selected", String(isOpen));
      body.hidden = !isOpen;
      if (view.isAwaited) return;
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
