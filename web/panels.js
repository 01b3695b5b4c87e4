/**
 * The tabs around the sentence: a module a panel, mounted when first opened. One that
 * `showsResults`, which a learner may have hidden, is covered as long as they are.
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

export async function createPanels(container, app) {
  const { store, t, initial } = app;
  const panels = await Promise.all(
    initial.panels.map(async (name) => (await import(`./panels/${name}.js`)).panel),
  );
  panels.sort((left, right) => left.order - right.order);
  const entries = panels.map((panel) => createEntry(panel, app));
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
  return {
    update(state, view) {
      setAttribute(list, "aria-label", t("shell.panels"));
      const open = entries.find((entry) => entry.id === state.panel) ?? entries[0];
      for (const entry of entries) entry.update(entry === open, state, view);
      const now = `${open?.id} ${state.lang}`;
      if (open && now !== inView) bringIntoView(open.tab, list);
      inView = now;
    },
  };
}

/** Along the row of tabs only: the page itself stays where it is. */
function bringIntoView(tab, list) {
  const [one, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
}

function createEntry(panel, app) {
  const tab = el("button", {
    type: "button",
    role: "tab",
    class: "mg-tab",
    id: `mg-tab-${panel.id}`,
    "aria-controls": `mg-panel-${panel.id}`,
    onclick: () => app.store.set({ panel: panel.id }),
  });
  const body = el("div", {
    role: "tabpanel",
    class: "mg-panel",
    id: `mg-panel-${panel.id}`,
    "aria-labelledby": `mg-tab-${panel.id}`,
    hidden: true,
  });
  const cover = panel.showsResults ? createCover(app, body) : null;
  let mounted = null;
  let drawn = 0; // of which changes of what is hidden it knows
  return {
    id: panel.id,
    tab,
    body,
    update(isOpen, state, view) {
      setText(tab, app.t(`${panel.id}.title`));
      setAttribute(tab, "aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      const wasOpen = !body.hidden;
      body.hidden = !isOpen;
      if (cover?.update()) return;
      if (isOpen) mounted ??= panel.mount(body, app);
      if (isOpen && !wasOpen) mounted.show?.();
      if (!isOpen && wasOpen) mounted.hide?.();
      // What has been hidden leaves a panel that is not open too.
      if (mounted && (isOpen || drawn !== app.veil.changes())) mounted.update(state, view);
      drawn = app.veil.changes();
    },
  };
}
