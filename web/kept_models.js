/**
 * Models stored in this browser (IndexedDB), to be uploaded again when the server has lost them.
 * Where the database is refused (a private window, a full disk) they are kept in this page only,
 * and `isInPage` is true.
 *
 * A model is `{id, content, config, steps, corpusLoss, when}`; `content` is a .safetensors file
 * in base64, `id` the last name the server gave it.
 */

const DATABASE = "mini-gpt";
const STORE = "models";
const MOST = 20;

export function createKeptModels(factory = globalThis.indexedDB) {
  const inPage = new Map();
  let opening = null;

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = factory.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => reject(request.error);
    });
    return opening;
  }

  async function attempt(mode, work) {
    const database = await open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve({ result: request.result });
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  /** `{result}` of what `work` asks for; null if the browser refuses, in whichever way. */
  async function run(mode, work) {
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        return await attempt(mode, work);
      } catch {
        opening = null; // the browser may have closed the database meanwhile: open it anew
      }
    }
    return null;
  }

  async function all() {
    const stored = (await run("readonly", (store) => store.getAll()))?.result ?? [];
    const found = new Map(stored.map((model) => [model.id, model]));
    for (const model of inPage.values()) found.set(model.id, model);
    return [...found.values()].sort((left, right) => right.when - left.when);
  }

  async function remove(id) {
    inPage.delete(id);
    await run("readwrite", (store) => store.delete(id));
  }

  return {
    all,
    remove,
    get: async (id) => (await all()).find((model) => model.id === id) ?? null,
    /**
     * Keep `model`, and drop the one called `instead` in the same moment.
     *
     * @returns {Promise<boolean>} whether it will outlast the page
     */
    async put(model, instead = model.id) {
      inPage.delete(instead);
      const stored = await run("readwrite", (store) => {
        store.delete(instead);
        return store.put({ ...model, isInPage: false });
      });
      if (!stored) inPage.set(model.id, { ...model, isInPage: true });
      for (const old of (await all()).slice(MOST)) await remove(old.id);
      return stored !== null;
    },
  };
}
