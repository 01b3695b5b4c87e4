/**
 * Caches every file of the page, so that it works offline after the first visit.
 *
 * Registered as `service_worker.js?v=<version>`: each version is a separate worker with its own
 * cache. The page and its description are network first, the rest is cache first.
 */

const version = new URL(self.location.href).searchParams.get("v");
const CACHE = `mini-gpt-${version}`;
const FRESH = /\/(index\.html|page\.json)?$/;

async function keepEverything() {
  const { files } = await (await fetch("./files.json", { cache: "no-cache" })).json();
  const cache = await caches.open(CACHE);
  await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" })));
}

async function dropOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("mini-gpt-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(request) {
  try {
    const cache = await caches.open(CACHE);
    return await cache.match(request, { ignoreSearch: true });
  } catch {
    return undefined; // the browser's storage is broken or blocked: try the network
  }
}

async function freshOrKept(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) return answer;
  } catch {
    // no network: use the cache
  }
  return (await kept(request)) ?? Response.error();
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepEverything().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOthers());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  const answer = FRESH.test(address.pathname)
    ? freshOrKept(request)
    : kept(request).then((found) => found ?? fetch(request));
  event.respondWith(answer);
});
