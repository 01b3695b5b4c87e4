import assert from "node:assert/strict";
import { test } from "node:test";

import { createTranslator } from "../../web/translate.js";

const STRINGS = { "a.b": { zh: "你好，{name}，{name}", en: "hello {name} {other}" } };

test("a text follows the language and takes values", () => {
  let language = "zh";
  const t = createTranslator(STRINGS, () => language);
  assert.equal(t("a.b", { name: "猫" }), "你好，猫，猫");
  language = "en";
  assert.equal(t("a.b", { name: "$&" }), "hello $& {other}");
});

test("a text that is missing is an error", () => {
  assert.throws(() => createTranslator(STRINGS, () => "zh")("a.c"), /a\.c/);
});
