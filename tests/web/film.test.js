/** The film's timeline: every value of the trace in its order, none invented, nothing left out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { beatsShown, CHOICE, endOf, LENGTH, partsShown, sceneAt, timelineOf } from "../../web/film/timeline.js";
import { stagesOf, valueAt } from "../../web/map/stages.js";
import { TEACHING, viewOf } from "./map_view.js";

const DEEP = { vocab_size: 12, context_length: 8, model_dim: 8, num_heads: 4, num_layers: 3 };
const NETWORKS = [
  ["the teaching network", TEACHING, [0, 1]],
  ["one word", TEACHING, [3]],
  ["three blocks and eight words", DEEP, [0, 1, 2, 3, 4, 0, 1, 2]],
];

const scenesOf = (config, window, trace = viewOf(window, { config }).trace) => timelineOf(config, window.length, trace);

function indices([size, ...rest], before = []) {
  const here = Array.from({ length: size }, (_, place) => [...before, place]);
  return rest.length ? here.flatMap((index) => indices(rest, index)) : here;
}

const isIn = (part, index) => part.every((place, axis) => index[axis] === place);

for (const [name, config, window] of NETWORKS) {
  test(`${name}: a scene for each value in the order of the computation, then the choice`, () => {
    const keys = stagesOf(config, window.length).map(({ key }) => key);
    assert.deepEqual(scenesOf(config, window).map(({ key }) => key), [...keys, CHOICE]);
  });

  test(`${name}: every cell appears once, in one beat`, () => {
    const scenes = scenesOf(config, window);
    for (const [place, { shape }] of stagesOf(config, window.length).entries()) {
      const parts = scenes[place].beats.flatMap((beat) => beat.parts);
      for (const index of indices(shape)) {
        assert.equal(parts.filter((part) => isIn(part, index)).length, 1, `${scenes[place].key} ${index}`);
      }
    }
  });

  test(`${name}: scenes follow one another without a gap, and end with all numbers shown`, () => {
    const scenes = scenesOf(config, window);
    let time = 0;
    for (const scene of scenes) {
      assert.equal(scene.start, time);
      time = endOf(scene);
      assert.equal(beatsShown(scene, scene.duration), scene.beats.length);
      assert.ok(scene.beats.every(({ at, until }) => at < until && until <= scene.duration), scene.key);
    }
    assert.ok(time >= LENGTH);
  });

  test(`${name}: nothing is computed from what has not been shown`, () => {
    const scenes = scenesOf(config, window);
    const shown = new Set();
    for (const { key, beats } of scenes) {
      for (const operand of beats.flatMap(({ operands }) => operands)) assert.ok(shown.has(operand.key), `${key} reads ${operand.key}`);
      shown.add(key);
    }
  });

  test(`${name}: the number of a scene is the trace's`, () => {
    const { trace } = viewOf(window, { config });
    for (const { shown, key } of timelineOf(config, window.length, trace)) {
      assert.equal(shown.value, valueAt(trace[shown.key], shown.cell));
      if (key !== CHOICE) assert.equal(shown.key, key);
    }
  });
}

test("the teaching network's film lasts 25 seconds", () => {
  assert.equal(endOf(scenesOf(TEACHING, [0, 1]).at(-1)), LENGTH);
});

test("the choice is the last word's most probable one", () => {
  const { trace } = viewOf([0, 1]);
  trace.vocabulary_probs[1] = [0.1, 0.2, 0.4, 0.25, 0.05];
  assert.deepEqual(scenesOf(TEACHING, [0, 1], trace).at(-1).shown, { key: "vocabulary_probs", cell: [1, 2], value: 0.4 });
});

test("scores light up pair by pair, from the query of one and the key of the other", () => {
  const scores = scenesOf(TEACHING, [0, 1]).find(({ name }) => name === "scores");
  assert.deepEqual(scores.beats.map(({ parts }) => parts), indices([2, 2, 2]).map((cell) => [cell]));
  assert.deepEqual(scores.beats[6].operands, [
    { key: "blocks.0.query", parts: [[1, 1]] },
    { key: "blocks.0.key", parts: [[1, 0]] },
  ]);
});

test("the mask falls last, on the scores that it hides and no other", () => {
  const masked = scenesOf(TEACHING, [0, 1]).find(({ name }) => name === "masked_scores");
  assert.deepEqual(masked.beats.at(-1).parts, [[0, 0, 1], [1, 0, 1]]);
  const open = viewOf([0, 1]).trace;
  open["blocks.0.masked_scores"] = open["blocks.0.scores"];
  const without = scenesOf(TEACHING, [0, 1], open).find(({ name }) => name === "masked_scores");
  assert.equal(without.beats.length, 1);
});

test("only what a word looks at hands over its V", () => {
  const outputs = scenesOf(TEACHING, [0, 1]).find(({ name }) => name === "head_outputs");
  const values = outputs.beats.map(({ operands }) => operands.find(({ key }) => key === "blocks.0.value").parts);
  assert.deepEqual(values, [[[0, 0], [1, 0]], [[0, 0], [0, 1], [1, 0], [1, 1]]]);
});

test("the end of a scene still belongs to it", () => {
  const scenes = scenesOf(TEACHING, [0, 1]);
  assert.equal(sceneAt(scenes, 0), 0);
  assert.equal(sceneAt(scenes, endOf(scenes[4])), 4);
  assert.equal(sceneAt(scenes, endOf(scenes[4]) + 1), 5);
  assert.equal(sceneAt(scenes, Infinity), scenes.length - 1);
});

test("before a beat has arrived its numbers are not there; probabilities fill from its beginning", () => {
  const scenes = scenesOf(TEACHING, [0, 1]);
  const [norm, softmax] = ["ln1", "attention_probs"].map((name) => scenes.find((scene) => scene.name === name));
  assert.deepEqual(partsShown(norm, beatsShown(norm, norm.beats[0].until - 1)), []);
  assert.deepEqual(partsShown(norm, beatsShown(norm, norm.beats[0].until)), [[0]]);
  assert.deepEqual(partsShown(softmax, beatsShown(softmax, 0)), [[0, 0]]);
});

test("hidden results stay hidden, also the winner's", () => {
  const { trace } = viewOf([0, 1]);
  trace.vocabulary_probs = trace.vocabulary_probs.map((row) => row.map(() => NaN));
  assert.ok(Number.isNaN(scenesOf(TEACHING, [0, 1], trace).at(-1).shown.value));
});
