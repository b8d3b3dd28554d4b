/** The reference of the API: the groups at the side, one group at a time, found by search or by a link such as `#trips.create`. */
import "../styles/index.css"
import "./docs.css"
import { type Index, loadGroup, loadIndex } from "./Data.ts"
import { h } from "./Dom.ts"
import { operationView } from "./OperationView.ts"
import { errorsView, eventsView, startView } from "./Overview.ts"
import { startSearch } from "./Search.ts"

const content = document.querySelector<HTMLElement>("#content")
const nav = document.querySelector<HTMLElement>("#groups")

const drawNav = ({ parts }: Index) => {
  const link = (href: string, text: string) => h("li", {}, h("a", { href }, text))
  nav?.replaceChildren(
    h("ul", {}, link("#start", "Start here"), link("#errors", "Errors"), link("#events", "Events")),
    ...parts.map(([part, groups]) =>
      h(
        "section",
        {},
        h("h2", {}, part),
        h(
          "ul",
          {},
          groups.map(([name, file]) => link(`#group/${file}`, name))
        )
      )
    )
  )
}

/** The group of a link, and the operation in it. */
const targetOf = ({ parts }: Index, hash: string) => {
  const groups = parts.flatMap(([, all]) => all)
  const named = hash.startsWith("group/") ? hash.slice("group/".length) : undefined
  return groups.find(([, file, operations]) => file === named || operations.some(([id]) => id === hash))
}

const show = async (index: Index) => {
  if (content === null) return
  const hash = decodeURIComponent(location.hash.slice(1)) || "start"
  const target = targetOf(index, hash)
  for (const anchor of nav?.querySelectorAll("a") ?? []) {
    const isHere = anchor.hash === `#group/${target?.[1]}` || anchor.hash === `#${hash}`
    if (isHere) anchor.setAttribute("aria-current", "page")
    else anchor.removeAttribute("aria-current")
  }
  if (target === undefined) {
    const view =
      hash === "errors" ? errorsView(index) : hash.startsWith("event") ? eventsView(index) : startView(index)
    content.replaceChildren(view)
    document.title = "Livery API"
    scrollTo(0, 0)
    return
  }
  const [name, file] = target
  if (content.dataset["file"] !== file || content.firstElementChild?.id !== `group/${file}`) {
    const operations = await loadGroup(file)
    // Another link may have been followed meanwhile.
    if ((decodeURIComponent(location.hash.slice(1)) || "start") !== hash) return
    content.dataset["file"] = file
    content.replaceChildren(h("h2", { id: `group/${file}` }, name), ...operations.map(operationView))
  }
  document.title = `${hash.startsWith("group/") ? name : hash} · Livery API`
  const section = document.getElementById(hash)
  section?.scrollIntoView()
  content.focus({ preventScroll: true })
}

const start = async () => {
  const index = await loadIndex()
  drawNav(index)
  startSearch(index)
  const draw = () =>
    void show(index).catch((error: unknown) =>
      content?.replaceChildren(h("p", { role: "alert" }, String(error)))
    )
  addEventListener("hashchange", draw)
  document.querySelector("#trying")?.addEventListener("submit", (event) => event.preventDefault())
  draw()
}

start().catch((error: unknown) => content?.replaceChildren(h("p", { role: "alert" }, String(error))))
