/**
 * Requests to the server: refusals, latest-wins, retries, and one at a time. A refusal has
 * already been shown by the call itself (calls.js); any other error is rethrown.
 */

/** Temporary refusals: the connection is lost, or PyTorch is being loaded. */
export const PASSING = ["connection", "torch_loading"];
const RETRY_MS = 1000;

/** The code of a refusal; any other error is rethrown. */
export function refusal(error) {
  if (!error.code) throw error;
  return error.code;
}

/**
 * The answer of a call, or null if it was refused.
 *
 * @template Answer
 * @param {Promise<Answer>} call
 * @returns {Promise<Answer|null>}
 */
export async function answered(call) {
  try {
    return await call;
  } catch (error) {
    refusal(error);
    return null;
  }
}

/**
 * Sends a request whenever the question changes: the answer to an older question is dropped, and
 * the same question is not sent twice. A refused question is sent again at the next update, and
 * after a delay if the refusal is temporary.
 *
 * @param {(question: object) => Promise<object>} ask
 * @param {(answer: object, question: object) => void} show
 * @param {string[]} [passing] refusals that are retried after a delay
 * @returns {(question: object) => Promise<void>}
 */
export function createLatest(ask, show, passing = []) {
  let asked = null;
  return async function latest(question) {
    const key = JSON.stringify(question);
    if (key === asked) return;
    asked = key;
    try {
      const answer = await ask(question);
      if (key === asked) show(answer, question);
    } catch (error) {
      const code = refusal(error);
      if (key !== asked) return;
      asked = null;
      if (passing.includes(code)) setTimeout(() => asked === null && latest(question), RETRY_MS);
    }
  };
}

/**
 * Work that must not start again while it is running: a second click before the answer to the
 * first joins the first.
 *
 * @template Result
 * @param {(...request: any[]) => Promise<Result>} work
 * @param {(...request: any[]) => unknown} [keyOf] what makes two requests the same; by default
 *   any request waits for the one under way
 * @returns {(...request: any[]) => Promise<Result>} the answer of the work under way, or of new work
 */
export function createOnce(work, keyOf = () => null) {
  const underWay = new Map();
  return (...request) => {
    const key = keyOf(...request);
    if (!underWay.has(key)) {
      underWay.set(key, work(...request).finally(() => underWay.delete(key)));
    }
    return underWay.get(key);
  };
}
