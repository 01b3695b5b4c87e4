/**
 * Steps of a training on the map: while one runs, its newest weights; afterwards any step that is
 * chosen. The rest of the page keeps its own weights. One request is in flight at most, and its
 * answer is shown even when a newer step is wanted by then, so that the map moves.
 */

import { refusal } from "./asking.js";

const RETRY_MS = 1000; // PyTorch is still loading, or the connection was lost

export function createWatching(app) {
  const subscribers = new Set();
  let offered = null;
  let shown = null; // {asked, view}
  let asking = false;
  let retry = null;

  function tell() {
    for (const subscriber of [...subscribers]) subscriber();
  }

  /** The question for what is offered, or null where the page itself shows it. */
  function wanted() {
    const { tokens, model } = app.store.get();
    if (!offered?.isOnMap || offered.model === model) return null;
    const said = sentence(tokens, model);
    return said.length ? JSON.stringify({ tokens: said, model: offered.model, engine: "torch" }) : null;
  }

  /** The page's sentence, or the beginning of a text in other words. */
  function sentence(tokens, model) {
    return app.vocabularies?.differ(model, offered.model) ? app.vocabularies.beginning(offered.model) : tokens;
  }

  async function refresh() {
    const asked = wanted();
    if (asking || asked === null || asked === shown?.asked) return;
    clearTimeout(retry);
    asking = true;
    try {
      const view = await app.server.view(JSON.parse(asked));
      shown = { asked, view };
      if (offered?.isOnMap) tell();
    } catch (error) {
      refusal(error);
      retry = setTimeout(refresh, RETRY_MS);
      return;
    } finally {
      asking = false;
    }
    refresh();
  }

  app.store.subscribe((state, previous) => state.tokens !== previous.tokens && refresh());

  return {
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** What is offered now: see `offer`. */
    offered: () => offered,
    /**
     * @param {object|null} step `model`: its id; `isOnMap`: whether the map shows it; `text`: what
     *   it is; `place` of `count`: on the slider; `choose(place)`; `leave()`: back to the page's
     */
    offer(step) {
      const before = JSON.stringify(offered);
      offered = step;
      if (JSON.stringify(step) !== before) tell();
      refresh();
    },
    /** The view that the map shows where the page shows `view`. */
    over(view) {
      const isPages = view.model.id === offered?.model; // not before the page has that view
      if (!offered?.isOnMap || isPages || !shown || !view.trace) return view;
      const isOfWords = JSON.stringify(shown.view.tokens) === JSON.stringify(sentence(view.tokens, view.model.id));
      return isOfWords ? app.veil.over(shown.view) : view;
    },
  };
}
