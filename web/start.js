/**
 * The entry of the page: mounts it in the element that ui/first_page.py put into the document,
 * with the data beside it.
 */

import { createApiDocs } from "./api_docs.js";
import { reportHeight } from "./frame.js";
import { mount } from "./page.js";
import { createServerFunctions } from "./server_functions.js";

export function start() {
  const place = document.querySelector(".mini-gpt");
  const { initial, functions, gradio } = JSON.parse(document.getElementById("mg-data").textContent);
  const root = (window.gradio_config?.root ?? "").replace(/\/$/, "");
  const asked = new URLSearchParams(window.location.search);
  const openApiDocs = createApiDocs(gradio);
  followTheme(asked.get("__theme"));
  reportHeight(place);
  mount(place, { server: createServerFunctions(root, functions), initial, root, openApiDocs });
  if (asked.get("view") === "api") openApiDocs();
}

/** Dark or light by the address, as on every Gradio page, or else by the system. */
function followTheme(theme) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  document.body.classList.toggle("dark", theme ? theme === "dark" : system.matches);
}
