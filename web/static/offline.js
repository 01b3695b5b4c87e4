/** Stores the page for offline use, and says when that is done. */

import { el } from "../dom.js";

export function createOffline(container, { strings, root, version }) {
  const status = el("span", { class: "mg-offline", role: "status" });
  container.append(status);
  let key = null;

  function say(next = key) {
    key = next;
    const tags = Object.entries(strings["language.tag"]);
    const [lang] = tags.find(([, tag]) => tag === document.documentElement.lang) ?? tags[0];
    const text = key ? strings[`static.${key}`][lang] : "";
    if (status.textContent !== text) status.textContent = text;
  }

  new MutationObserver(() => say()).observe(document.documentElement, { attributeFilter: ["lang"] });
  // Service workers need https or localhost.
  if (!("serviceWorker" in navigator)) return;
  say("offline_pending");
  navigator.serviceWorker.register(`${root}/service_worker.js?v=${version}`).then(
    ({ installing }) => {
      // If storage is full, the worker is discarded; this is the only sign of it.
      installing?.addEventListener("statechange", () => installing.state === "redundant" && say("offline_failed"));
      return navigator.serviceWorker.ready.then(() => say("offline_ready"));
    },
    (error) => {
      say("offline_failed");
      window.reportError(error);
    },
  );
}
