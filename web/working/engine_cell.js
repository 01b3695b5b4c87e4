/** The chosen cell in both engines, with all digits; requested shortly after it is chosen. */

import { answered } from "../asking.js";
import { el, replace } from "../dom.js";
import { scientific } from "../format.js";
import { viewRequest } from "../viewer.js";

const DELAY_MS = 120; // the working is requested first
const NAMES = { torch: "PyTorch", onnxruntime: "ONNX Runtime" };

export function createEngineCell({ server, store, t }) {
  const element = el("dl", { class: "mg-engine-cell", hidden: true });
  let asked = null;
  let timer = null;

  async function ask(request, id) {
    const found = await answered(server.cell_in_engines(request));
    if (asked === id && found?.state === "ready") show(found);
  }

  function show({ values, difference }) {
    const distance = difference === 0 ? t("working.engines.same") : scientific(difference);
    const rows = [
      ...Object.entries(NAMES).map(([engine, name]) => [name, values[engine]]),
      [t("working.engines.difference"), distance],
    ];
    replace(element, rows.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
    element.hidden = false;
  }

  return {
    element,
    /** @param {{key, cell}|null} cell a trace value's cell */
    update(cell) {
      const request = { ...viewRequest(store.get()), engine: "onnxruntime" }; // the answer has both engines
      const id = cell && JSON.stringify([request, cell, store.get().lang]);
      if (id === asked) return;
      asked = id;
      element.hidden = true;
      replace(element); // what is hidden to be worked out stands nowhere
      clearTimeout(timer);
      if (cell) timer = setTimeout(ask, DELAY_MS, { ...request, cell }, id);
    },
  };
}
