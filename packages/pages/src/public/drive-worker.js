/**
 * Keeps the driver's page usable without a connection: the page itself and its scripts and styles. It never keeps a response of
 * the API. The page tells it which files it has loaded. It also shows push messages.
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

/** Shows a push message. Without a content, which no server sends, the page's name is shown: browsers want a notification. */
const show = (event) => {
  let content = { title: "", body: "" }
  try {
    content = { ...content, ...event.data?.json() }
  } catch {
    // It is no JSON.
  }
  const { body, title } = content
  return self.registration.showNotification(title || "Livery", { body, tag: body })
}

/** Opens the page of a notification: a window of the driver's page that is open already, or a new one. */
const open = async () => {
  const windows = await self.clients.matchAll({ type: "window" })
  const known = windows.find(({ url }) => url.startsWith(page))
  return known === undefined ? self.clients.openWindow(page) : known.focus()
}

self.addEventListener("push", (event) => event.waitUntil(show(event)))
self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(open())
})
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)))
self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.mode === "navigate") event.respondWith(openPage(request))
  else if (request.url.includes("/assets/"))
    event.respondWith(caches.match(request, kept).then((file) => file ?? fetch(request)))
})
