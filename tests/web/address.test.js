import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf, readAddress } from "../../web/address.js";
import { DEFAULT_STATE } from "../../web/state.js";
import { INITIAL } from "./page.js";

const EVERYTHING = {
  tokens: [0, 1, 3],
  drawn: 1,
  engine: "torch",
  lang: "en",
  model: "own:a1-b2_c3",
  stage: "blocks.0.attention_probs",
  cell: [1, 0, 1],
  film: 12,
  tour: 2,
  edits: { "lm_head.bias": { 0: 0.5 }, "token_embedding.weight": { "4,3": -1.25e-7, "0,0": 2 } },
  switches: { causal_mask: false, dropout: 0.1, dropout_seed: 3 },
  sampling: { mode: "sample", temperature: 0.8, top_k: 3, top_p: 0.9, seed: 42 },
  panel: "compare",
  compare: { kind: "model", tokens: [2, 3], model: "trained" },
};

const read = (search) => readAddress(search, INITIAL);

test("edits of a link made when the FFN's layers had names are edits of today", () => {
  const { state, ignored } = read("?edits=blocks.0.ffn.expand.weight~0.1~2*blocks.1.ffn.contract.bias~3~1");
  assert.deepEqual(ignored, []);
  assert.deepEqual(state.edits, { "blocks.0.ffn.0.weight": { "0,1": 2 }, "blocks.1.ffn.2.bias": { 3: 1 } });
});

test("a first visit needs no address", () => {
  assert.equal(addressOf(DEFAULT_STATE), "");
  assert.deepEqual(read(""), { state: {}, ignored: [] });
});

test("the whole state travels in an address and back", () => {
  assert.deepEqual(read(addressOf(EVERYTHING)), { state: EVERYTHING, ignored: [] });
});

test("an address is short, versioned and survives being typed", () => {
  assert.equal(
    addressOf({ ...DEFAULT_STATE, tokens: [0, 1, 3], edits: { "lm_head.bias": { 0: 0.5 } } }),
    "?v=1&tokens=0-1-3&edits=lm_head.bias~0~0.5",
  );
});

test("an empty sentence is not the first one", () => {
  const address = addressOf({ ...DEFAULT_STATE, tokens: [] });
  assert.equal(address, "?v=1&tokens=");
  assert.deepEqual(read(address).state.tokens, []);
});

test("keys of others stay, old keys of our own go", () => {
  assert.equal(
    addressOf({ ...DEFAULT_STATE, lang: "en" }, "?__theme=dark&tokens=0-1-2"),
    "?v=1&lang=en&__theme=dark",
  );
});

test("a number that is none is left to its default", () => {
  const sampling = { ...EVERYTHING.sampling, temperature: "abc" };
  assert.equal(read(addressOf({ ...EVERYTHING, sampling })).state.sampling.temperature, 1);
});

test("a whole number too large for a number comes back with every digit", () => {
  const largest = "9223372036854775807";
  const sampling = { mode: "sample", temperature: largest, top_k: largest, top_p: 1, seed: largest };
  const switches = { dropout: 0.1, dropout_seed: largest };
  const { state, ignored } = read(addressOf({ ...DEFAULT_STATE, sampling, switches }));
  assert.deepEqual(ignored, []);
  assert.deepEqual(state.sampling, sampling);
  assert.deepEqual(state.switches, switches);
});

test("?lang=en alone is enough", () => {
  assert.deepEqual(read("?lang=en"), { state: { lang: "en" }, ignored: [] });
});

test("another version is ignored as a whole", () => {
  assert.deepEqual(read("?v=2&tokens=0-1"), { state: {}, ignored: ["v"] });
});

const BROKEN = {
  tokens: ["5", "-1", "a", "0--1", "0-1.5", "0 1", Array(257).fill("0").join("-"), "1e0", "<img>"],
  drawn: ["-1", "x", "99", ""],
  engine: ["tensorflow", ""],
  lang: ["fr", ""],
  model: ["../etc", "own:", "${alert(1)}"],
  stage: ["<img src=x>", "a b", ""],
  cell: ["1.x", "", "-1"],
  film: ["", "-1", "1.5", "x"],
  edits: ["", "a", "a~0", "a~0~x", "a~0~Infinity", "a~x~1", "<b>~0~1", "a~0~1*"],
  switches: ["", "a", "a~", "a~nonsense", "a~1~2"],
  sampling: ["", "sample", "sample~1~0~1~x", "greedy~1~0~1~0", "sample~NaN~0~1~0", "sample~-1~0~1~0", "sample~1~0.5~1~0", "sample~1~0~0~0", "sample~1~0~2~0", "sample~1~0~1~-1"],
  panel: ["", "a/b", "${x}", "nothing"],
  compare: ["", "sentence", "sentence~0-1", "sentence~0-9~", "other~0~", "model~0~../etc", "model~0~trained~1"],
};

for (const [key, texts] of Object.entries(BROKEN)) {
  test(`a broken ${key} is ignored by name, and nothing else is`, () => {
    for (const text of texts) {
      const other = key === "lang" ? "engine=torch" : "lang=en";
      const { state, ignored } = read(`?${key}=${encodeURIComponent(text)}&${other}`);
      assert.deepEqual(ignored, [key], text);
      assert.deepEqual(Object.keys(state), [other.split("=")[0]], text);
    }
  });
}

test("prototype names in an address do no harm", () => {
  const { state } = read("?edits=__proto__~0~1&switches=constructor~true");
  assert.equal({}[0], undefined);
  assert.equal(Object.getPrototypeOf(state), Object.prototype);
});
