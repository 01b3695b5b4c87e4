/** One row per position of the batch: the words seen, the target, the loss. */

import { valueColour } from "../../colours.js";
import { el, replace } from "../../dom.js";
import { number } from "../../format.js";
import { shapeText } from "../lessons/shapes.js";

const NOT_COUNTED = -100;
const SEEN_WORDS = 4; // of the words seen the last ones have room

export function createPositions(container, { t }, open) {
  const loss = el("p", { class: "mg-gradient-loss" });
  const tables = el("div", { class: "mg-gradient-tables" });
  const shapes = el("p", { class: "mg-note mg-gradient-shapes" });
  container.append(loss, shapes, tables);
  return {
    /** @param {number[]} columns the words that have a column */
    update(answer, columns) {
      replace(
        loss,
        t("gradients.loss", { count: answer.counted }),
        " ",
        cellButton(number(answer.loss), t("gradients.show_loss"), () => open("gradients.loss", [])),
      );
      shapes.textContent = shapesText(answer, t);
      replace(
        tables,
        scroll(lossTable(answer, open, t)),
        scroll(valueTable(answer, "logits", columns, null, t)),
        scroll(valueTable(answer, "logits_gradient", columns, open, t)),
      );
    },
  };
}

function shapesText({ shapes: { logits, targets }, token_ids: ids }, t) {
  const [B, T] = [ids.length, ids[0].length];
  return t("gradients.shapes", { B, T, rows: targets[0], logits: shapeText(logits), targets: shapeText(targets) });
}

function scroll(table) {
  return el("div", { class: "mg-scroll", tabindex: 0 }, table);
}

/** Every (row, position) that counts in the loss, with the last words seen and the target. */
function placesOf({ token_ids: ids, targets, model }) {
  const { words } = model;
  return targets.flatMap((row, at) =>
    row.flatMap((target, position) =>
      target === NOT_COUNTED
        ? []
        : [{ at, position, seen: lastOf(ids[at].slice(0, position + 1).map((id) => words[id])), target }],
    ),
  );
}

/** The last of the words seen, as one text. */
export function lastOf(said) {
  return said.length > SEEN_WORDS ? `… ${said.slice(-SEEN_WORDS).join(" ")}` : said.join(" ");
}

function lossTable(answer, open, t) {
  const { words } = answer.model;
  return el(
    "table",
    { class: "mg-gradient-table" },
    el("caption", {}, t("gradients.losses")),
    el("thead", {}, el("tr", {}, ["seen", "target", "p", "loss_at"].map((key, at) => el("th", { scope: "col", class: at > 1 ? "mg-number" : "" }, t(`gradients.${key}`))))),
    el(
      "tbody",
      {},
      placesOf(answer).map(({ at, position, seen, target }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, seen),
          el("td", {}, words[target]),
          el("td", { class: "mg-number" }, number(answer.probabilities[at][position][target])),
          el(
            "td",
            { class: "mg-number" },
            cellButton(
              number(answer.losses[at][position]),
              t("gradients.show_loss_at", { seen }),
              () => open("gradients.losses", [at, position]),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A table [position, word] of the value called `name`; with `open`, each number is a button that opens its working. */
function valueTable(answer, name, columns, open, t) {
  const { words } = answer.model;
  const places = placesOf(answer);
  const scale = Math.max(...places.flatMap(({ at, position }) => answer[name][at][position]).map(Math.abs), 1e-9);
  return el(
    "table",
    { class: "mg-gradient-table" },
    el("caption", {}, t(`gradients.${name}`)),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("gradients.seen")), columns.map((id) => el("th", { scope: "col", class: "mg-number" }, words[id])))),
    el(
      "tbody",
      {},
      places.map(({ at, position, seen, target }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, seen),
          columns.map((word) => [word, answer[name][at][position][word]]).map(([word, value]) =>
            el(
              "td",
              { class: word === target ? "mg-number mg-target" : "mg-number", style: { "--cell": valueColour(value, scale) } },
              open
                ? cellButton(number(value), t("gradients.show_logit", { seen, word: words[word] }), () => open("gradients.logits", [at, position, word]))
                : number(value),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A button with a number; a click opens its working. */
export function cellButton(text, label, onclick) {
  return el("button", { type: "button", class: "mg-cell-button", "aria-label": `${text}: ${label}`, onclick }, text);
}
