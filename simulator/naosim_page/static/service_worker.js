// Keeps every file of the site in the browser, so that it works without a network. The build fills in version and files.
// `hearing.js` keeps the files of speech recognition in a cache of their own.
const CACHE = "VERSION";
const FILES = ["FILES"];
const HEARING = "hearing";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== CACHE && name !== HEARING) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  const find = async (name) => (await caches.open(name)).match(event.request, { ignoreSearch: true });
  const answer = async () => (await find(CACHE)) ?? (await find(HEARING)) ?? fetch(event.request);
  event.respondWith(answer());
});
