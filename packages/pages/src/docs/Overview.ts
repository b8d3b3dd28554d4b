/** The pages of the reference that are no group: the start, the errors and the events. */
import type { Index } from "./Data.ts"
import { loadSamples } from "./Data.ts"
import { code, h, prose } from "./Dom.ts"

const base = () => new URL("./api/v1", document.baseURI).href

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  h(
    "div",
    { class: "docs-table", tabindex: "0", role: "region", "aria-label": head.join(", ") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((cell) => h("th", { scope: "col" }, cell))
        )
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell) => h("td", {}, ...prose(cell)))
          )
        )
      )
    )
  )

/** How to send the first request. */
export const startView = (index: Index): HTMLElement =>
  h(
    "div",
    {},
    h("h2", { id: "start" }, "Start here"),
    h(
      "p",
      {},
      ...prose(
        "Every response is `{ data, meta }` or `{ error, meta }`. Send an API key as `Authorization: Bearer`. Send an `Idempotency-Key` with a POST that you may have to repeat."
      )
    ),
    code(index.programs.curl.replace("BASE", base()), "first request"),
    h("h3", {}, "TypeScript"),
    code(index.programs.client.replace("BASE", base()), "first program"),
    h(
      "p",
      {},
      h("a", { href: "openapi.json" }, "openapi.json"),
      " has the same for generators. Press / to search, or choose a group:"
    ),
    index.parts.map(([part, groups]) => [
      h("h3", {}, part),
      h(
        "ul",
        { class: "docs-list" },
        groups.map(([name, file, operations]) =>
          h("li", {}, h("a", { href: `#group/${file}` }, name), ` ${operations.length}`)
        )
      )
    ])
  )

/** The types of errors, and the issues of wrong fields. */
export const errorsView = ({ errors, issues }: Index): HTMLElement =>
  h(
    "div",
    {},
    h("h2", {}, "Errors"),
    h("p", {}, ...prose("Decide by the status and by `error.type`, never by `error.message`.")),
    table(["Type", "Status", "Meaning"], errors),
    h("h3", {}, "Wrong fields"),
    h(
      "p",
      {},
      ...prose(
        "`details` of an `invalid_request` name each wrong field by its path in the input, joined by dots: `{ field, issue }`."
      )
    ),
    table(["Issue", "Meaning"], issues)
  )

/** The events, with a sample of each, and how a receiver verifies them. */
export const eventsView = ({ events, programs }: Index): HTMLElement => {
  const samples = events.map(([type, summary]) => {
    const place = h("div", {}, "…")
    const details = h(
      "details",
      { id: `event/${type}` },
      h("summary", {}, h("code", {}, type), ` ${summary}`),
      place
    )
    details.addEventListener(
      "toggle",
      () =>
        void loadSamples()
          .then((all) => place.replaceChildren(code(JSON.stringify(all[type], null, 2), `sample of ${type}`)))
          .catch((error: unknown) => place.replaceChildren(String(error))),
      { once: true }
    )
    return details
  })
  return h(
    "div",
    {},
    h("h2", {}, "Events"),
    h(
      "p",
      {},
      ...prose(
        "Livery posts each event to the endpoints that subscribe to its type, and lists it at `GET /api/v1/events`. Answer with a 2xx within 15 seconds; otherwise the event is sent again, up to six times in total. Handle each `id` once."
      )
    ),
    samples,
    h("h3", {}, "Verify the signature"),
    h(
      "p",
      {},
      ...prose(
        '`X-Service-Signature` is `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, keyed with the endpoint\'s secret.'
      )
    ),
    h("h4", {}, "TypeScript"),
    code(programs.verifyInTypeScript, "verification in TypeScript"),
    h("h4", {}, "Python"),
    code(programs.verifyInPython, "verification in Python")
  )
}
