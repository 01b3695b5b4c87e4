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
