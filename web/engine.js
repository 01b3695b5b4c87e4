/** The choice of engine, and the difference between the two engines. */

import { el, setText } from "./dom.js";
import { scientific } from "./format.js";
import { createSegmented } from "./segmented.js";

const ABSENT = { missing: ["torch"], broken: ["onnxruntime"] }; // by the state of the differences
const NAMES = { onnxruntime: "ONNX Runtime", torch: "PyTorch" };

/** Which engine computes. */
export function createEngine(container, { store, t, initial, differences }) {
  const choice = createSegmented(initial.engines, (engine) => store.set({ engine }));
  container.append(el("div", { class: "mg-engine" }, choice.element));

  function update() {
    choice.update({
      legend: t("shell.engine"),
      labels: { ...NAMES, browser: t("shell.in_browser") },
      chosen: store.get().engine,
      disabled: ABSENT[differences.get()?.state] ?? [],
    });
  }

  differences.subscribe(update);
  store.subscribe(update);
  return { update };
}

/** By how much the engines differ on this sentence, or why that is not known. */
export function createDifference(container, { store, t, differences, viewer }) {
  const status = el("p", { class: "mg-note mg-difference", role: "status" });
  container.append(status);

  function update() {
    setText(status, statusText(store.get(), viewer.view(), differences.get(), t));
    status.title = differenceTitle(differences.get(), t);
  }

  differences.subscribe(update);
  store.subscribe(update);
  return { update };
}

function statusText(state, view, difference, t) {
  if (!state.tokens.length) return "";
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
