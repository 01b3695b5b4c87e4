/** The choice of engine, and the difference between the two engines. */

import { el, setText } from "./dom.js";
import { scientific } from "./format.js";
import { createSegmented } from "./segmented.js";

const ABSENT = { missing: ["torch"], broken: ["onnxruntime"] }; // by the state of the differences
const NAMES = { onnxruntime: "ONNX Runtime", torch: "PyTorch" };

export function createEngine(container, app) {
  const { store, t, initial, differences, viewer } = app;
  const choice = createSegmented(initial.engines, (engine) => store.set({ engine }));
  const status = el("p", { class: "mg-note mg-difference", role: "status" });
  container.append(el("div", { class: "mg-engine" }, choice.element, status));

  function update() {
    const state = store.get();
    choice.update({
      legend: t("shell.engine"),
      labels: { ...NAMES, browser: t("runtimes.in_browser") },
      chosen: state.engine,
      disabled: ABSENT[differences.get()?.state] ?? [],
    });
    const text = statusText(state, viewer.view(), differences.get(), t);
    setText(status, text);
    status.title = differenceTitle(differences.get(), t);
  }

  differences.subscribe(update);
  store.subscribe(update);
  return { update };
}

function statusText(state, view, difference, t) {
  if (difference?.state === "missing") return t("shell.torch_missing");
  if (difference?.state === "broken") return t("error.onnx_broken");
  const isWaiting = state.engine !== view.engine;
  if (difference?.state === "loading") {
    return t(isWaiting ? "shell.torch_waiting" : "shell.torch_loading");
  }
  if (difference?.state === "preparing") return t("shell.onnx_preparing");
  if (!difference?.largest) return t("shell.difference_pending");
  return t("shell.difference", { value: scientific(difference.largest.max_abs) });
}

function differenceTitle(difference, t) {
  if (!difference?.largest) return "";
  return t("shell.difference_where", { name: difference.largest.name });
}
