/** A text file, chosen or dropped and read in this browser; the text that it replaces can be had back. */

import { decodeText } from "./text_file.js";
import { el, setText } from "../../dom.js";

/** @param {HTMLElement} zone what it can be dropped on; @param {(text: string) => void} onText */
export function createTextSource(t, zone, onText) {
  const choose = el("span");
  const input = el("input", { type: "file", accept: "text/plain,.txt,.md,.csv", class: "mg-hidden", onchange: chosen });
  const button = el("label", { class: "mg-button mg-upload mg-text-choose" }, choose, input);
  const trouble = el("p", { class: "mg-note mg-problem mg-text-trouble", role: "alert", hidden: true });
  let limit = Infinity; // bytes
  let problem = null; // what is wrong with the last file: () => text

  const mark = (isOver) => zone.classList.toggle("mg-drop-here", isOver);

  zone.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return; // text is dropped as anywhere
    event.preventDefault();
    mark(true);
  });
  zone.addEventListener("dragleave", () => mark(false));
  zone.addEventListener("drop", (event) => {
    mark(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    bring(file);
  });

  function chosen() {
    const [file] = input.files;
    input.value = ""; // so that the same file can be chosen again
    if (file) bring(file);
  }

  /** A wrong file is explained and changes nothing. */
  async function bring(file) {
    const isLarge = file.size > limit;
    const text = isLarge ? null : decodeText(new Uint8Array(await file.arrayBuffer()));
    const key = isLarge ? "training.text_large" : "error.text_encoding";
    problem = text === null ? () => t(key, { file: file.name, size: file.size, limit }) : null;
    update();
    if (text !== null) onText(text);
  }

  function update() {
    setText(choose, t("training.text_choose"));
    trouble.hidden = problem === null;
    setText(trouble, problem?.() ?? "");
  }

  return {
    button,
    trouble,
    update,
    limit(limits) {
      limit = limits.text_bytes;
    },
    forget() {
      problem = null;
    },
  };
}
