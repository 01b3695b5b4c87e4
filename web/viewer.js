/**
 * Keeps the view (every value of the current sentence) in step with the state.
 *
 * At most one request is in flight; when it completes, the newest state is requested, so eight
 * quick clicks take a few requests and lose nothing. The answer to an older state is dropped.
 * After a refusal the state returns to what was last shown.
 */

import { refusal } from "./asking.js";
import { blockOf } from "./map/stages.js";
import { DEFAULT_STATE } from "./state.js";

const RETRY_MS = 1000;
const NETWORK_KEYS = ["engine", "model", "edits", "switches"];
const VIEW_KEYS = ["tokens", ...NETWORK_KEYS];
const WAIT_FOR = ["connection", "busy", "torch_loading", "onnx_preparing"];

/** What the server needs to compute a view of `state`. */
export function viewRequest(state) {
  return pick(state, VIEW_KEYS);
}

export function createViewer({ store, server, alert, vocabularies }) {
  const subscribers = new Set();
  let view = null;
  let shown = null; // the state's VIEW_KEYS that `view` is of, as text
  let accepted = null; // the last NETWORK_KEYS that the server could compute
  let asking = false;
  let retry = null;
  let holding = false;
  let opened = 0; // the block that was opened last

  // Before every other subscriber: the server works while the page shows the new words.
  store.subscribe((state) => {
    opened = blockOf(state.stage) ?? opened;
    if (accepted) refresh();
  });

  const wanted = () => JSON.stringify(viewRequest(store.get()));
  const isShown = () => shown === wanted() && hasBlock(view, block());

  /** Of a large network one block comes at a time; a film needs all: null. */
  function block() {
    const { stage, film } = store.get();
    return film === null ? (blockOf(stage) ?? opened) : null;
  }

  /** What to ask the server for; of a network known to be large the values of one block. */
  function request() {
    const asked = viewRequest(store.get());
    const isOne = view?.isLarge && view.model.id === asked.model && block() !== null;
    return isOne ? { ...asked, block: block() } : asked;
  }

  function accept(answer, asked) {
    if (asked !== wanted()) return;
    view = answer;
    shown = asked;
    accepted = pick(store.get(), NETWORK_KEYS);
    alert?.clear("waiting");
    for (const subscriber of [...subscribers]) subscriber(view);
  }

  async function refresh() {
    if (asking || holding || isShown()) return;
    clearTimeout(retry);
    const asked = wanted();
    asking = true;
    try {
      accept(await server.view(request()), asked);
    } catch (error) {
      const code = refusal(error);
      if (asked === wanted()) return refused(code);
    } finally {
      asking = false;
    }
    return refresh();
  }

  function refused(code) {
    if (WAIT_FOR.includes(code)) {
      retry = setTimeout(refresh, RETRY_MS);
      return;
    }
    // What was shown last may be the very model that the server has lost.
    if (code === "own_unknown") accepted = pick(DEFAULT_STATE, NETWORK_KEYS);
    // After `asking` has ended; a lost model's sentence is not said in other words.
    queueMicrotask(() => store.set({ ...accepted, ...vocabularies?.sentenceFor(accepted.model) }));
  }

  return {
    /** The view shown now; of the present state unless a newer one is on its way. */
    view: () => view,
    /** Whether it is of the present sentence, model, engine and changes. */
    isCurrent: isShown,
    request,
    /** Whether this change of the state needs a new view: other values, not other objects with the same ones. */
    concerns: (state, previous) => VIEW_KEYS.some((key) => !isSame(state[key], previous[key])) || !hasBlock(view, block()),
    /** Returns the function that ends it. */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    /** Change the state together with the view of the changed state, which is at hand. */
    change(patch, answer) {
      holding = true;
      store.set(patch);
      holding = false;
      accept(answer, wanted());
    },
    /** Begin with the view that came with the page, of the state `of`. */
    start(first, of) {
      view = first;
      accepted = pick(of, NETWORK_KEYS);
      if (JSON.stringify(viewRequest(of)) === wanted()) accept(first, wanted());
      else refresh();
    },
  };
}

/** Whether a view has the values of `block`, or of every block where that is null. */
export function hasBlock(view, block) {
  return view?.block === undefined || view.block === block;
}

function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
