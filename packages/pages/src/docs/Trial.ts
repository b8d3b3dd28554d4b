/** Sends a GET of the reference to this server. The key stays in the memory of the page. */
import type { Operation } from "./Data.ts"
import { code, h } from "./Dom.ts"

const keyOf = () => (document.querySelector<HTMLInputElement>("#key")?.value ?? "").trim()

/** A form with the parameters of a GET, and the response below it. */
export const trial = ({ id, parameters, path }: Operation): HTMLElement => {
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name)
  const inQuery = parameters.filter(([, , , , place]) => place === "query").map(([name]) => name)
  const output = h("div", { "aria-live": "polite" })
  const form = h(
    "form",
    { class: "docs-trial" },
    [...inPath, ...inQuery].map((name) =>
      h(
        "label",
        {},
        h("span", {}, name),
        h("input", { name, required: inPath.includes(name), autocomplete: "off", spellcheck: "false" })
      )
    ),
    h("button", { type: "submit" }, "Send")
  ) as HTMLFormElement
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    const valueOf = (name: string) => {
      const value = fields.get(name)
      return typeof value === "string" ? value : ""
    }
    const place = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(valueOf(name)))
    const query = new URLSearchParams(
      inQuery.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== "")
    )
    const url = new URL(`.${place}`, document.baseURI)
    url.search = query.toString()
    const key = keyOf()
    const stop = new AbortController()
    // A stream of events does not end; its beginning is enough here.
    setTimeout(() => stop.abort(), 10_000)
    void (async () => {
      output.replaceChildren("…")
      try {
        const headers: Record<string, string> = key === "" ? {} : { Authorization: `Bearer ${key}` }
        const response = await fetch(url, { headers, signal: stop.signal })
        const type = response.headers.get("content-type") ?? ""
        const text = type.includes("json")
          ? JSON.stringify(await response.json(), null, 2)
          : type.startsWith("text/")
            ? await response.text()
            : type
        output.replaceChildren(
          code(`${response.status} ${response.statusText}\n\n${text}`, `answer to ${id}`)
        )
      } catch {
        output.replaceChildren("The server did not answer within 10 seconds.")
      }
    })()
  })
  return h("details", {}, h("summary", {}, "Try it on this server"), form, output)
}
