/** Gradio's API docs. Its frontend is large, and is loaded only for them. */

const BUTTON = "gradio-app footer .show-api";

/**
 * @param {{styles: string[], scripts: string[]}} frontend the addresses of Gradio's files
 * @returns {() => Promise<void>} opens the docs
 */
export function createApiDocs({ styles, scripts }) {
  let loading = null;
  return async function open() {
    loading ??= load();
    await loading;
    document.querySelector(BUTTON).click();
  };

  async function load() {
    forgetAddress();
    const { title } = document;
    const isDark = document.body.classList.contains("dark");
    for (const href of styles) append("link", { rel: "stylesheet", href });
    for (const src of scripts) append("script", { type: "module", src });
    await shown(BUTTON);
    // Gradio's frontend sets both when it starts.
    document.body.classList.toggle("dark", isDark);
    document.title = title;
  }
}

/** With `?view=api` in the address Gradio assumes the docs are open, and a click closes them. */
function forgetAddress() {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("view")) return;
  address.searchParams.delete("view");
  window.history.replaceState(window.history.state, "", address);
}

function append(name, properties) {
  document.head.append(Object.assign(document.createElement(name), { crossOrigin: "", ...properties }));
}

function shown(selector) {
  return new Promise((resolve) => {
    const look = () => document.querySelector(selector) && (observer.disconnect(), resolve());
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
  });
}
