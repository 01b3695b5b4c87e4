/** The stages of a network in order, loaded once per model, and the stage of every value. */

import { answered, createOnce } from "../asking.js";

export function createBooks({ server }) {
  const books = new Map();
  const subscribers = new Set();
  const load = createOnce(
    async (model) => {
      const told = await answered(server.network_stages({ model }));
      if (!told) return;
      books.set(model, createBook(told));
      for (const subscriber of [...subscribers]) subscriber();
    },
    (model) => model,
  );

  return {
    /** Called when a book that was asked for has come. */
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** The book of `model`; null until it is loaded, which this starts. */
    of(model) {
      if (!books.has(model)) load(model);
      return books.get(model) ?? null;
    },
  };
}

/** @param {{stages, sizes, texts}} told the answer of `network_stages` */
export function createBook({ stages, sizes, texts }) {
  const homes = new Map();
  const values = new Map();
  for (const stage of stages) {
    for (const value of [...stage.values, ...stage.weights]) {
      homes.set(value.key, stage);
      values.set(value.key, value);
    }
  }
  const textsOf = ({ key, name }) => (values.get(key).traced === undefined ? texts.weights : texts.values)[name];
  const stagesOf = new Map(); // title of a value -> the names of its stages
  for (const [key, value] of values) {
    const called = JSON.stringify(textsOf(value));
    stagesOf.set(called, (stagesOf.get(called) ?? new Set()).add(homes.get(key).name));
  }
  return {
    stages,
    sizes,
    texts,
    /** The titles of a value or a weight by language. */
    textsOf,
    /** Whether values of other stages have the same title. */
    isShared: (value) => stagesOf.get(JSON.stringify(textsOf(value))).size > 1,
    hasBlocks: stages.some(({ block }) => block > 0),
    /** The stage at which a value or a weight is shown; undefined if there is none. */
    homeOf: (key) => homes.get(key),
    valueOf: (key) => values.get(key),
    next: (stage) => stages[stage.number] ?? null,
    previous: (stage) => stages[stage.number - 2] ?? null,
    /** Sizes of the axes of `value` for a window of `sequence` words. */
    shapeOf: (value, sequence) => value.axes.map((axis) => (axis === "T" ? sequence : sizes[axis])),
    /** Whether `cell` is inside the value `key`. */
    holds(key, cell, sequence) {
      const value = values.get(key);
      if (!value || !Array.isArray(cell)) return false;
      const shape = this.shapeOf(value, sequence);
      return cell.length === shape.length && cell.every((index, axis) => index < shape[axis]);
    },
  };
}
