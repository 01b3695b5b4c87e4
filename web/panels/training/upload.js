/** Load a model from its file; a wrong file gets an error and changes nothing. */

import { toBase64 } from "../../base64.js";
import { el } from "../../dom.js";
import { refusal } from "../../asking.js";

const MOST_BYTES = 512 * 1024; // the server's limit; a larger file is not sent

export function createUpload(container, app) {
  const { t, own, alert } = app;
  const heading = el("h3");
  const note = el("p", { class: "mg-note" });
  const text = el("span");
  const input = el("input", { type: "file", multiple: true, class: "mg-hidden", onchange: chosen });
  const status = el("p", { class: "mg-note", role: "status" });
  container.append(
    el("section", {}, heading, note, el("label", { class: "mg-button mg-upload" }, text, input), status),
  );

  async function chosen() {
    const files = [...input.files];
    input.value = ""; // so that the same file can be chosen again
    status.textContent = "";
    alert.clear("input");
    const tooLarge = files.find((file) => file.size > MOST_BYTES);
    if (tooLarge) {
      alert.show(t("error.checkpoint_too_large", { size: tooLarge.size, limit: MOST_BYTES }));
      return;
    }
    const beside = files.find((file) => file.name.endsWith(".json") && files.length > 1);
    const weights = files.find((file) => file !== beside);
    if (weights) await load(weights, beside);
  }

  async function load(weights, beside) {
    try {
      const content = toBase64(new Uint8Array(await weights.arrayBuffer()));
      const model = await own.bring({ content, config: beside && (await beside.text()) });
      own.use(model.id);
      await own.keep(model.id, { steps: null, corpusLoss: null });
      status.textContent = t("training.loaded", { name: weights.name });
    } catch (error) {
      refusal(error);
    }
  }

  return {
    update() {
      heading.textContent = t("training.upload");
      note.textContent = t("training.upload_note");
      text.textContent = t("training.upload_choose");
    },
  };
}
