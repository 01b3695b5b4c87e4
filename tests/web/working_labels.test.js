/** What a value is called says which of several it is: "mean μ" fits three norms. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createBook } from "../../web/working/book.js";
import { titleOf } from "../../web/working/lines.js";

const RECORDED = JSON.parse(readFileSync(new URL("./fixtures/answers/common.json", import.meta.url)));
const TOLD = RECORDED.find(({ name, request }) => name === "network_stages" && request.model === "teaching").answer;

/** The stops of a network of two blocks, made from those of one. */
function twoBlocks() {
  const second = TOLD.stages
    .filter(({ block }) => block === 0)
    .map((stage) => JSON.parse(JSON.stringify(stage).replaceAll("blocks.0.", "blocks.1.")))
    .map((stage) => ({ ...stage, block: 1 }));
  return { ...TOLD, stages: [...TOLD.stages, ...second] };
}

const t = (key, { number } = {}) => (key === "working.block" ? `block ${number}` : key);

for (const [name, told] of [["one block", TOLD], ["two blocks", twoBlocks()]]) {
  for (const lang of ["zh", "en"]) {
    test(`no two values are called the same: ${name}, ${lang}`, () => {
      const book = createBook(told);
      const values = told.stages.flatMap((stage) => [...stage.values, ...stage.weights]);
      const titles = values.map((value) => titleOf(value, { book, lang, t }));
      assert.equal(new Set(titles).size, values.length);
    });
  }
}

test("a mean names its norm, and its block where there are several", () => {
  const titleIn = (told, key) => {
    const book = createBook(told);
    return titleOf(book.valueOf(key), { book, lang: "en", t });
  };
  assert.equal(titleIn(TOLD, "blocks.0.ln1.mean"), "LayerNorm 1 · mean μ");
  assert.equal(titleIn(TOLD, "final_hidden.mean"), "Final LayerNorm · mean μ");
  assert.equal(titleIn(twoBlocks(), "blocks.1.ln2.mean"), "block 2 · LayerNorm 2 · mean μ");
  assert.equal(titleIn(TOLD, "logits"), "logits");
});
