/** One row per engine: its largest difference from PyTorch, the number of prompts, and what it supports. */

import { el, replace } from "../../dom.js";
import { scientific } from "../../format.js";

const CONTINUING = ["decode", "texts", "ids"]; // the last two: loaders of whole folders
const COLUMNS = [
  ["runtimes.engine", ({ title, version }) => [title, small(version)]],
  ["runtimes.lesson", ({ runs }) => difference(runs["teaching.logits"])],
  ["runtimes.trained", ({ runs }) => difference(runs["trained.logits"])],
  ["runtimes.random", ({ runs }, t) => counted(runs["random.logits"], t)],
  ["runtimes.decode", ({ runs }, t) => mark(runs, CONTINUING, t)],
  ["runtimes.generate", ({ runs }, t) => mark(runs, ["generate"], t)],
  ["runtimes.one_prompt", ({ runs }) => milliseconds(runs["teaching.logits"]?.run_ms)],
  ["runtimes.verdict", ({ runs }, t) => verdict(runs, t)],
];
const WORST = ["WRONG", "CANNOT", "OK"];

export function createEngineTable({ t }) {
  const caption = el("caption");
  const head = el("tr");
  const body = el("tbody");
  const table = el("table", { class: "mg-runtimes-table" }, caption, el("thead", {}, head), body);
  const element = el("div", { class: "mg-scroll", tabindex: "0", role: "group" }, table);
  return {
    element,
    update(told) {
      element.hidden = !told?.engines.length;
      element.setAttribute("aria-label", t("runtimes.caption"));
      if (element.hidden) return;
      caption.textContent = t("runtimes.caption");
      replace(head, COLUMNS.map(([key]) => el("th", { scope: "col" }, t(key))));
      replace(body, told.engines.map((engine) => row(engine, t)));
    },
  };
}

function row(engine, t) {
  const cells = COLUMNS.map(([, content], at) => {
    const parts = [content(engine, t)].flat();
    return at === 0 ? el("th", { scope: "row" }, ...parts) : el("td", {}, ...parts);
  });
  return el("tr", { dataset: { engine: engine.name } }, ...cells);
}

function difference(run) {
  if (!run || run.max_abs_logits === null) return "—";
  const logits = el("span", { class: "mg-number" }, scientific(run.max_abs_logits));
  if (run.max_abs_trace === null) return [logits];
  return [logits, small(scientific(run.max_abs_trace))];
}

function counted(run, t) {
  if (!run || run.max_abs_logits === null) return "—";
  const count = t("runtimes.prompts", { count: run.prompts.toLocaleString("en") });
  return [el("span", { class: "mg-number" }, scientific(run.max_abs_logits)), small(count)];
}

function mark(runs, uses, t) {
  const own = Object.values(runs).filter((run) => uses.includes(run.use));
  const worst = WORST.find((name) => own.some((run) => run.verdict === name));
  if (!worst) return "—";
  const reason = own.find((run) => run.verdict === worst).reason;
  return el("span", { class: `mg-runtime-verdict mg-runtime-verdict-${worst}`, title: reason }, t(`runtimes.${worst}`));
}

/** The verdict; a generating form the engine does not support is not counted as a failure. */
function verdict(runs, t) {
  const all = Object.values(runs);
  const counts = all.filter((run) => run.use === "logits" || run.verdict === "WRONG");
  const worst = WORST.find((name) => counts.some((run) => run.verdict === name));
  const { reason } = counts.find((run) => run.verdict === worst);
  const shown = el("span", { class: `mg-runtime-verdict mg-runtime-verdict-${worst}` }, t(`runtimes.${worst}`));
  return reason ? [shown, small(reason)] : [shown];
}

function milliseconds(value) {
  return value === null || value === undefined ? "—" : `${value.toPrecision(2)} ms`;
}

function small(text) {
  return el("span", { class: "mg-note mg-below" }, text);
}
