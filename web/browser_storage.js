/**
 * A JSON value under one key of localStorage or sessionStorage. Blocked, full or broken storage
 * throws from every call: then the value is lost at a reload, and the page still works.
 */

/**
 * @param {string} key
 * @param {() => Storage} [storage] called each time, since access throws where storage is blocked
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
