/**
 * Models this browser keeps, so that a server that forgot them can be given them again. They
 * stay in this browser's own database; where there is none (a private window), in this page.
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
    opening ??= new Promise((resolve) => {
      try {
        const request = factory.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = request.onblocked = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
    return opening;
  }

  async function run(mode, work) {
    const database = await open();
    if (!database) return undefined;
    return new Promise((resolve) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => resolve(undefined);
    });
  }

  async function all() {
    const stored = (await run("readonly", (store) => store.getAll())) ?? [];
    const found = new Map([...inPage, ...stored.map((model) => [model.id, model])]);
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
    async put(model) {
      const stored = await run("readwrite", (store) => store.put(model));
      if (stored === undefined) inPage.set(model.id, model);
      for (const old of (await all()).slice(MOST)) await remove(old.id);
    },
  };
}
