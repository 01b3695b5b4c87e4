/**
 * The user's own models: used by the whole page, stored in this browser, and uploaded again when
 * the server has lost them.
 */

import { createKeptModels } from "./kept_models.js";
import { createOnce, refusal } from "./asking.js";

export function createOwnModels({ store, server, alert, t, vocabularies }, kept = createKeptModels()) {
  const subscribers = new Set();

  function tell() {
    for (const subscriber of [...subscribers]) subscriber();
  }

  /** Make `id` the model of every part of the page; with other words, its text begins the sentence. */
  function use(id) {
    // Edits and switches belong to one network and would mean something else in another.
    store.set({ model: id, edits: {}, switches: {}, ...vocabularies.sentenceFor(id) });
  }

  /** Have this browser keep the model, with what is known of it. */
  async function keep(id, about) {
    const { content, model } = await server.own_weights({ model: id });
    await put({ ...about, id, content, config: model.config, when: Date.now() });
  }

  /** Says when a model could not be stored: it can still be downloaded before the next reload. */
  async function put(model, instead) {
    const isKept = await kept.put(model, instead);
    if (!isKept) alert.show(t("shell.not_kept"), "kept");
    tell();
  }

  /** Give the server a file's content (base64) again; returns the model's new id. */
  async function bring({ content, config }) {
    const { model } = await server.own_load({ content, config });
    if (model.words) vocabularies.know(model.id, model.words, model.begins?.length ? [model.begins] : []);
    return model;
  }

  /** Upload a model that the server lost, and use it; two clicks do it once. */
  const bringBack = createOnce(async (known) => {
    const { id } = await bring({ content: known.content });
    await put({ ...known, id }, known.id);
    use(id);
  }, ({ id }) => id);

  return {
    kept,
    subscribe: (subscriber) => subscribers.add(subscriber),
    use,
    keep,
    bring,
    bringBack,
    async remove(id) {
      await kept.remove(id);
      tell();
    },
    /** A call failed: if the server has lost a model that is kept here, offer it. */
    async failed(code, model) {
      const known = code === "own_unknown" && (await kept.get(model));
      if (known) alert.offer(t("shell.bring_back"), () => bringBack(known).catch(refusal));
    },
  };
}
