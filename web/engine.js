/** The choice of engine and weights, and the difference between the two engines. */

import { el, replace, setText } from "./dom.js";
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
      labels: { ...NAMES, browser: t("runtimes.in_browser") },
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

const OWN = "own";

/** Which weights: a select that also shows a model of the person's own. */
export function createWeights(container, { store, t, initial, own }) {
  let last = null; // the person's own model that was used last
  const text = el("span", { class: "mg-field-label" });
  const select = el("select", {
    class: "mg-input mg-select",
    onchange: choose,
  });
  const element = el("label", { class: "mg-field" }, text, select);
  container.append(element);
  let built = ""; // what the options are of

  function choose() {
    if (select.value !== OWN) {
      own.use(select.value);
      return;
    }
    select.value = store.get().model; // none yet: opens the panel where one is trained
    store.set({ panel: "training" });
    document.getElementById("mg-tab-training")?.focus();
  }

  return {
    update({ model }) {
      setText(text, t("shell.weights"));
      if (!initial.models.includes(model)) last = model;
      const ids = [...initial.models, last ?? OWN];
      const options = ids.map((id) => ({ value: id, name: t(`shell.weights_${id.split(":")[0]}`) }));
      if (JSON.stringify(options) !== built) {
        built = JSON.stringify(options);
        replace(
          select,
          options.map(({ value, name }) => el("option", { value }, name)),
        );
      }
      select.value = model;
    },
  };
}
