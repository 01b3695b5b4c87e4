/**
 * Asking the server again whenever the question changes: an answer to an older question is
 * dropped, and the same question is not asked twice.
 *
 * @param {(question: object) => Promise<object>} ask
 * @param {(answer: object, question: object) => void} show
 * @returns {(question: object) => Promise<void>}
 */
export function createLatest(ask, show) {
  let asked = null;
  return async (question) => {
    const key = JSON.stringify(question);
    if (key === asked) return;
    asked = key;
    try {
      const answer = await ask(question);
      if (key === asked) show(answer, question);
    } catch (error) {
      if (key === asked) asked = null; // so that the next update asks again
      if (!error.code) throw error; // shown already
    }
  };
}
