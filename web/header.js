/** The header: the page's name, the ways in, theme and language; and the footer. */

import { el, setAttribute, setText } from "./dom.js";

/** `ways` is where the tour and the tools have their buttons. */
export function createHeader({ store, t, initial }) {
  const { languages } = initial;
  const next = (lang) => languages[(languages.indexOf(lang) + 1) % languages.length];
  const language = el("button", {
    type: "button",
    class: "mg-button mg-quiet",
    onclick: () => store.set({ lang: next(store.get().lang) }),
  });
  const theme = el("button", { type: "button", class: "mg-button mg-quiet", onclick: switchTheme });
  const title = el("h1", { class: "mg-title" }, "MiniGPT");
  const ways = el("nav", { class: "mg-ways" });
  const element = el(
    "header",
    { class: "mg-header" },
    title,
    ways,
    el("div", { class: "mg-tools" }, theme, language),
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
    ways,
    update(state) {
      setAttribute(title, "title", t("shell.lead"));
      setAttribute(ways, "aria-label", t("shell.ways"));
      setText(language, t.in(next(state.lang), "language.name"));
      language.lang = t.in(next(state.lang), "language.tag");
      nameTheme();
    },
  };
}

/** @param {object} app without `openApiDocs` on a page that has no API */
export function createFooter({ t, openApiDocs }) {
  const lead = el("span", { class: "mg-lead" });
  const licence = el("span");
  const api = el("button", { type: "button", class: "mg-link", hidden: !openApiDocs, onclick: openApiDocs });
  return {
    element: el("footer", { class: "mg-footer" }, lead, licence, api),
    update() {
      setText(lead, t("shell.lead"));
      setText(licence, t("shell.licence"));
      setText(api, t("shell.api_docs"));
    },
  };
}
