/** The sentence bar: the words so far, the five words to click, and what the model appends. */

import { wordColour } from "./colours.js";
import { el, replace } from "./dom.js";

export function createSentence(container, app) {
  const { store, t, generator, history } = app;
  const chips = el("ol", { class: "mg-chips" });
  const palette = el("div", { class: "mg-palette", role: "group" });
  const labels = [];
  const button = (key, onclick, attributes = {}) => {
    const element = el("button", { type: "button", class: "mg-button", onclick, ...attributes });
    labels.push([element, key]);
    return element;
  };
  const append = (ids) => {
    generator.stop();
    store.set({ tokens: [...store.get().tokens, ...ids] , drawn: 0 });
  };
  const appendOne = button("shell.append", () => generator.start(1), { class: "mg-button mg-primary" });
  const count = el("input", { type: "number", class: "mg-count", value: 6, min: 1, max: 64 });
  const generate = button("shell.generate", () => generator.start(Number(count.value)));
  const stop = button("shell.stop", () => generator.stop());
  const undo = button("shell.undo", () => {
    generator.stop();
    history.undo();
  });
  const clear = button("shell.clear", () => store.set({ tokens: [], drawn: 0 }));
  const language = el("button", {
    type: "button",
    class: "mg-button",
    onclick: () => store.set({ lang: store.get().lang === "zh" ? "en" : "zh" }),
  });
  const engine = el("button", {
    type: "button",
    class: "mg-button",
    onclick: () =>
      store.set({ engine: store.get().engine === "torch" ? "onnxruntime" : "torch" }),
  });
  container.append(
    chips,
    palette,
    el("div", { class: "mg-actions" }, appendOne, count, generate, stop, undo, clear, engine, language),
  );

  function showWords() {
    const { tokens } = store.get();
    const { words, config } = app.viewer.view().model;
    const start = Math.max(0, tokens.length - config.context_length);
    replace(
      chips,
      tokens.map((id, index) =>
        el(
          "li",
          {
            class: index < start ? "mg-chip mg-outside" : "mg-chip",
            style: { "--hue": wordColour(id) },
          },
          words[id],
        ),
      ),
    );
  }
  store.subscribe(() => app.viewer.view() && showWords());

  return {
    update(state, view) {
      for (const [element, key] of labels) element.textContent = t(key);
      language.textContent = t("shell.other_language");
      engine.textContent = state.engine;
      replace(
        palette,
        view.model.words.map((word, id) =>
          el("button", { type: "button", class: "mg-word", style: { "--hue": wordColour(id) }, onclick: () => append([id]) }, word),
        ),
      );
      showWords();
    },
  };
}
