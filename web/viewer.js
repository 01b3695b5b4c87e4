/**
 * Keeps the view (every value of the present sentence) up to date with the state.
 *
 * At most one request is under way; when it comes back the newest state is asked for next, so
 * eight quick clicks cost a few requests and lose nothing. An answer to an older state is
 * dropped.
 */

const RETRY_MS = 1000;
const VIEW_KEYS = ["tokens", "engine", "model", "edits", "switches"];

export function createViewer(app) {
  const { store } = app;
  const subscribers = new Set();
  let view = null;
  let viewKey = null;
  let asking = false;
  let retry = null;

  const key = (state) => JSON.stringify(VIEW_KEYS.map((name) => state[name]));

  function accept(answer, answerKey) {
    if (answerKey !== key(store.get())) return false;
    view = answer;
    viewKey = answerKey;
    for (const subscriber of subscribers) subscriber(view);
    return true;
  }

  async function refresh() {
    if (asking || viewKey === key(store.get())) return;
    clearTimeout(retry);
    asking = true;
    const request = viewRequest(store.get());
    const asked = key(store.get());
    let failed = false;
    try {
      accept(await app.server.view(request), asked);
    } catch (error) {
      failed = key(store.get()) === asked;
      if (failed && ["connection", "torch_loading"].includes(error.code)) {
        retry = setTimeout(refresh, RETRY_MS);
      } else if (!error.code) {
        throw error;
      }
    } finally {
      asking = false;
    }
    if (!failed) refresh();
  }

  return {
    view: () => view,
    /** Whether this change of the state needs a new view. */
    concerns: (state, previous) => VIEW_KEYS.some((name) => state[name] !== previous[name]),
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** Take a view that came with another answer, if it is of the present state. */
    accept: (answer) => accept(answer, key(store.get())),
    start(first) {
      store.subscribe((state, previous) => {
        if (VIEW_KEYS.some((name) => state[name] !== previous[name])) refresh();
      });
      view = first;
      const { tokens, engine, model } = store.get();
      const isFirst =
        engine === first.engine &&
        model === first.model.id &&
        JSON.stringify(tokens) === JSON.stringify(first.tokens);
      if (isFirst) accept(first, key(store.get()));
      else refresh();
    },
  };
}

/** What the server needs to compute a view of `state`. */
export function viewRequest(state) {
  return Object.fromEntries(VIEW_KEYS.map((name) => [name, state[name]]));
}
