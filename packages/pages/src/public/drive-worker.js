/**
 * Keeps the driver's page usable without a connection: the page itself and its scripts and styles. It never keeps a response of
 * the API. The page tells it which files it has loaded.
 */
const cacheName = "livery-drive"
/** A kept file is the same, whatever the request that asks for it accepts. */
const kept = { ignoreVary: true, ignoreSearch: true }
const page = new URL("./drive", self.location.href).href

const keep = async (files) => {
  const cache = await caches.open(cacheName)
  await Promise.all(files.map(async (file) => (await cache.match(file, kept)) ?? cache.add(file)))
  // Last, so that a kept page has all of its files.
  await cache.add(page)
  const wanted = new Set([page, ...files])
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url)
}

/** The page from the server, or the kept one if the server does not answer soon. */
const openPage = async (request) => {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(4000) })
    if (response.ok) return response
  } catch {
    // There is no connection.
  }
  return (await caches.match(page, kept)) ?? Response.error()
}

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)))
self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.mode === "navigate") event.respondWith(openPage(request))
  else if (request.url.includes("/assets/"))
    event.respondWith(caches.match(request, kept).then((file) => file ?? fetch(request)))
})
