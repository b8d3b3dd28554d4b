/** The address of the screen that is shown: its path below `/app`, and the filters in its query. */
import { computed, signal } from "@preact/signals"

/** The path of the office, also below a path of a proxy. */
const base = /^.*?\/app(?=\/|$)/u.exec(location.pathname)?.[0] ?? "/app"

const current = () => ({ path: location.pathname.slice(base.length) || "/", search: location.search })

/** The present address. */
export const address = signal(current())

/** The parts of the path: `["trips", "17"]`; empty for the first screen. */
export const parts = computed(() => address.value.path.split("/").filter((part) => part !== ""))

/** The parameters of the query. */
export const query = computed(() => new URLSearchParams(address.value.search))

/** What is asked before a screen is left with unsaved input. */
let mayLeave: () => boolean = () => true

/** Asks before the screen is left. Returns the function that ends it. */
export const guard = (ask: () => boolean): (() => void) => {
  mayLeave = ask
  return () => {
    if (mayLeave === ask) mayLeave = () => true
  }
}

/** The whole address of a path below the office, with the language if the present one names it. */
export const hrefOf = (path: string): string => {
  const lang = query.value.get("lang")
  const whole = `${base}${path.replace(/^\/(?=\?|$)/u, "")}`
  if (lang === null || path.includes("lang=")) return whole
  return `${whole}${path.includes("?") ? "&" : "?"}lang=${lang}`
}

/** Shows another screen. */
export const navigate = (path: string, { replace = false } = {}): void => {
  if (!replace && !mayLeave()) return
  history[replace ? "replaceState" : "pushState"](null, "", hrefOf(path))
  address.value = current()
  if (!replace) scrollTo(0, 0)
}

/** Changes parameters of the query in place; an empty value removes one. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const next = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") next.delete(name)
    else next.set(name, value)
  const text = next.toString()
  history.replaceState(null, "", `${location.pathname}${text === "" ? "" : `?${text}`}`)
  address.value = current()
}

addEventListener("popstate", () => {
  address.value = current()
})

/** Shows screens without loading the page again: a plain click on a link into the office. */
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || link.target !== "" || link.hasAttribute("download")) return
  const { origin, pathname, search } = new URL(link.href)
  if (origin !== location.origin || !`${pathname}/`.startsWith(`${base}/`)) return
  event.preventDefault()
  navigate(`${pathname.slice(base.length)}${search}`)
})
