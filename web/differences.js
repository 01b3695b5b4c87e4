/**
 * PyTorch against ONNX Runtime on the current sentence, updated shortly after it changes.
 *
 * `get()` is `{state: "ready"|"loading"|"missing"|"preparing"|"broken", values, largest}`, or null until the answer
 * for the current sentence has come; `subscribe(fn)` calls `fn` after every change.
 */

import { refusal } from "./asking.js";
import { viewRequest } from "./viewer.js";

const DELAY_MS = 250; // not requested while clicks follow one another
const LOADING_MS = 1000;

export function createDifferences({ store, server, viewer, generator }) {
  const subscribers = new Set();
  let answer = null;
  let of = null;
  let timer = null;

  // The difference does not depend on which of the two engines is shown.
  // The engine in the browser is a third one with its own difference.
  const pair = ({ engine }) => (engine === "browser" ? engine : null);
  const wanted = () => JSON.stringify({ ...viewRequest(store.get()), engine: pair(store.get()) });

  function tell(next) {
    answer = next;
    for (const subscriber of [...subscribers]) subscriber(answer);
  }

  function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(ask, milliseconds);
  }

  async function ask() {
    if (generator.running()) {
      later(DELAY_MS);
      return;
    }
    const asked = wanted();
    let next = null;
    let again;
    try {
      next = await server.differences(viewRequest(store.get()));
      again = next.state === "loading" || next.state === "preparing";
    } catch (error) {
      again = refusal(error) === "connection";
    }
    if (asked !== wanted()) return; // a newer request is on its way
    of = next?.state === "ready" ? asked : null;
    tell(next);
    if (again) later(LOADING_MS);
  }

  return {
    get: () => answer,
    subscribe: (subscriber) => subscribers.add(subscriber),
    start() {
      viewer.subscribe(() => {
        if (of === wanted()) return;
        if (answer?.state === "missing") return;
        if (answer?.state === "ready") tell(null);
        later(DELAY_MS);
      });
      later(0);
    },
  };
}
