/** The page without a server: the same modules, answered by ONNX Runtime in this browser. */

import { mount } from "../page.js";
import { createExpected } from "./expected.js";
import { createModels } from "./models.js";
import { createOffline } from "./offline.js";
import { createRuntimeLoader } from "./runtime.js";
import { createBrowserServer } from "./server.js";

const root = new URL("../..", import.meta.url).href.replace(/\/$/, "");

function followTheme() {
  const preference = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.body.classList.toggle("dark", preference.matches);
  preference.addEventListener("change", follow);
  follow();
}

async function start() {
  followTheme();
  const { initial, descriptions, version } = await (await fetch(`${root}/page.json`)).json();
  const models = createModels({
    descriptions,
    files: `${root}/files`,
    loadRuntime: createRuntimeLoader(`${root}/ort`),
  });
  const server = createBrowserServer({
    models,
    strings: initial.strings,
    limits: initial.limits,
    expected: createExpected(`${root}/expected.json`),
  });
  await mount(document.querySelector(".mini-gpt"), { server, initial, root });
  createOffline(document.querySelector(".mg-footer"), { strings: initial.strings, root, version });
}

start();
