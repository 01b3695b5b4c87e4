/**
 * What this browser, or this tab, remembers under one key, as JSON. Blocked, full or broken
 * storage throws from every call: a page that can't remember forgets at a reload, and works.
 */

/**
 * @param {string} key
 * @param {() => Storage} [storage] asked each time: where storage is blocked, asking throws
 */
export function createStorage(key, storage = () => window.localStorage) {
  return {
    /** What was written last; null if there is nothing, or nothing that can be read. */
    read() {
      try {
        return JSON.parse(storage().getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    /** Whether `value` will be remembered; null forgets. */
    write(value) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
  };
}
