/**
 * Asking the server: what it refuses, the newest question alone, again after a while, once at a
 * time. A refusal has been shown by the call itself (calls.js); any other error goes on.
 */

/** Refusals that pass by themselves: the connection is lost, or PyTorch is being loaded. */
export const PASSING = ["connection", "torch_loading"];
const RETRY_MS = 1000;

/** The code of a refusal; any other error is thrown on. */
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
 * Asks whenever the question changes: an answer to an older question is dropped, the same
 * question is not asked twice. What was refused is asked again by the next update, and by itself
 * after a while if the refusal passes.
 *
 * @param {(question: object) => Promise<object>} ask
 * @param {(answer: object, question: object) => void} show
 * @param {string[]} [passing] refusals after which it asks again by itself
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
 * Work that must not be begun again while it is under way: a second click while the server has
 * not answered the first is the same wish, not another one.
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
