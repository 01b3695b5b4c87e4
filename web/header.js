/** The header with weights, language and theme; and the footer. */

import { el, setText } from "./dom.js";
import { createWeightsSwitch } from "./weights_switch.js";

export function createHeader({ store, t, ...app }) {
  const { languages } = app.initial;
  const next = (lang) => languages[(languages.indexOf(lang) + 1) % languages.length];
  const lead = el("p", { class: "mg-lead" });
  const language = el("button", {
    type: "button",
    class: "mg-button mg-quiet",
    onclick: () => store.set({ lang: next(store.get().lang) }),
  });
  const theme = el("button", { type: "button", class: "mg-button mg-quiet", onclick: switchTheme });
  const tools = el("div", { class: "mg-tools" });
  const weights = createWeightsSwitch({ store, t, ...app });
  tools.append(theme, language);
  const element = el(
    "header",
    { class: "mg-header" },
    el("div", { class: "mg-heading" }, el("h1", { class: "mg-title" }, "MiniGPT"), lead),
    weights.element,
    tools,
  );

  function switchTheme() {
    document.body.classList.toggle("dark");
    nameTheme();
  }

  function nameTheme() {
    const isDark = document.body.classList.contains("dark");
    setText(theme, t(isDark ? "shell.theme_light" : "shell.theme_dark"));
  }

  return {
    element,
    update(state) {
      setText(lead, t("shell.lead"));
      setText(language, t.in(next(state.lang), "language.name"));
      language.lang = t.in(next(state.lang), "language.tag");
      nameTheme();
      weights.update(state);
    },
  };
}

/** @param {object} app without `openApiDocs` on a page that has no API */
export function createFooter({ t, openApiDocs }) {
  const licence = el("span");
  const api = el("button", { type: "button", class: "mg-link", hidden: !openApiDocs, onclick: openApiDocs });
  return {
    element: el("footer", { class: "mg-footer" }, licence, api),
    update() {
      setText(licence, t("shell.licence"));
      setText(api, t("shell.api_docs"));
    },
  };
}
