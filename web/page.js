/**
 * The page: puts the parts together and keeps them on one state and one view.
 *
 * A part has `update(state, view)`. It is called when the view of the present sentence has
 * arrived, and after changes of the state that need no new view (language, stage, panel…).
 * With an empty sentence `view.trace`, `view.logits` and `view.probabilities` are null.
 */

import { readAddress, writeAddress } from "./address.js";
import { createAlert } from "./alert.js";
import { createBars } from "./bars.js";
import { createServer } from "./calls.js";
import { el } from "./dom.js";
import { createGenerator } from "./generator.js";
import { createHistory } from "./history.js";
import { createPanels } from "./panels.js";
import { createSentence } from "./sentence.js";
import { createStore, DEFAULT_STATE } from "./state.js";
import { createTranslator } from "./translate.js";
import { createViewer } from "./viewer.js";

/**
 * @param {HTMLElement} element filled with the page
 * @param {object} given `server`: the functions Gradio provides; `initial`: from ui/page.py;
 *   `root`: where the app is served
 */
export async function mount(element, { server, initial, root }) {
  const address = readAddress(window.location.search, initial);
  const store = createStore({ ...DEFAULT_STATE, ...address.state });
  const t = createTranslator(initial.strings, () => store.get().lang);
  const alert = createAlert(t);
  const app = { store, t, root, initial, alert };
  app.server = createServer(server, { store, alert, t });
  app.history = createHistory(store);
  app.viewer = createViewer(app);
  app.generator = createGenerator(app);

  const layout = createLayout(t);
  replaceContent(element, layout, alert);
  const parts = [
    createSentence(layout.sentence, app),
    createBars(layout.bars, app),
    ...(await optionalParts(layout, app)),
    await createPanels(layout.panels, app),
    layout,
  ];
  const update = () => {
    const view = app.viewer.view();
    if (view) for (const part of parts) part.update(store.get(), view);
  };
  app.viewer.subscribe(update);
  store.subscribe((state, previous) => {
    writeAddress(state);
    element.lang = state.lang === "zh" ? "zh-CN" : "en";
    if (!app.viewer.concerns(state, previous)) update();
  });
  element.lang = store.get().lang === "zh" ? "zh-CN" : "en";
  app.viewer.start(initial.view);
  if (address.ignored.length) {
    alert.show(t("shell.address_ignored", { keys: address.ignored.join(", ") }));
  }
  return app;
}

function createLayout(t) {
  const title = el("h1", { class: "mg-title" }, "MiniGPT");
  const lead = el("p", { class: "mg-lead" });
  const sentence = el("section", { class: "mg-sentence-area" });
  const bars = el("section", { class: "mg-bars-area" });
  const map = el("section", { class: "mg-map-area" });
  const bench = el("section", { class: "mg-bench-area" });
  const panels = el("section", { class: "mg-panels-area" });
  return {
    title,
    lead,
    sentence,
    bars,
    map,
    bench,
    panels,
    update() {
      lead.textContent = t("shell.lead");
    },
  };
}

function replaceContent(element, layout, alert) {
  element.replaceChildren(
    el("header", { class: "mg-header" }, layout.title, layout.lead),
    el(
      "div",
      { class: "mg-sentence-bar" },
      alert.element,
      layout.sentence,
      layout.bars,
    ),
    el("main", { class: "mg-main" }, layout.map, layout.bench, layout.panels),
  );
}

/** Map and bench, as far as they are there yet. */
async function optionalParts(layout, app) {
  const parts = [];
  if (app.initial.modules.includes("map")) {
    const { createMap } = await import("./map.js");
    parts.push(createMap(layout.map, app));
  }
  if (app.initial.modules.includes("bench")) {
    const { createBench } = await import("./bench.js");
    parts.push(createBench(layout.bench, app));
  }
  return parts;
}
