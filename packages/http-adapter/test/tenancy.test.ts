/**
 * Another business's id, in a path, in a query or in a body, is an id that nothing has: in every answer, byte for
 * byte, and in every row. The routes and their fields come from the contract, so that a new one has to be added here.
 */
import { Api, type CallerKind, documentPath } from "@livery/contract"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { routes as declared } from "./support/DeclaredRoutes.ts"
import {
  absent,
  bodies,
  forms,
  type Ids,
  type Kind,
  noReferences,
  references,
  requiredQueries
} from "./support/NamedRecords.ts"
import { requestBodies } from "./support/RequestBodies.ts"
import { Ports } from "./support/TestPorts.ts"
import { everything, tenant } from "./support/Tenant.ts"
import { type Answer, openServer, records, refusedAs } from "./support/TestServer.ts"

/** The kind of record that a path's id names, by the segment before it. */
const kinds: Readonly<Record<string, Kind>> = {
  cars: "car",
  drivers: "driver",
  customers: "customer",
  trips: "trip",
  invoices: "invoice",
  payments: "payment",
  remittances: "remittance",
  "invoice-runs": "run",
  "bank-statements": "statement",
  imports: "moved",
  entries: "entry",
  credited: "creditedInvoice",
  "credit-notes": "creditNote",
  webhooks: "endpoint",
  deliveries: "delivery",
  tariffs: "tariff",
  versions: "version",
  members: "member",
  quotes: "quote",
  products: "product",
  bookings: "booking",
  views: "view",
  "trip-templates": "template"
}

/** Parameters that are no ids: capabilities, the public name of a business, and the name of a report. */
const capabilities = new Set([":token", ":hash", ":vendor_slug", ":report"])

const routes = declared.map(({ callerKinds, method, template }) => {
  const path = template.replace("/api/v1", "")
  return { name: `${method} ${path}`, method, path, callerKind: callerKinds[0] }
})

const paramsOf = (path: string) =>
  [...path.matchAll(/\/(?<of>[\w-]+)\/(?<param>:\w+)/gu)]
    .map(({ groups }) => ({ of: groups?.["of"] ?? "", param: groups?.["param"] ?? "" }))
    // The credit note belongs to another invoice than the others.
    .map(({ of, param }) => {
      if (of === "payments" && path.startsWith("/payments")) return { of: "remittances", param }
      return { of: of === "invoices" && path.includes("/credit-notes") ? "credited" : of, param }
    })
    .filter(({ param }) => !capabilities.has(param))

/** The routes of businesses with ids in their paths. Those of super-admins are about every business. */
const routesWithIds = routes.filter(
  ({ callerKind, path }) => callerKind !== "superAdmin" && paramsOf(path).length > 0
)

/** Every field of the contract's business and public routes that names a record, at any depth, by `references`. */
const referencesOfContract = () => {
  const document = OpenApi.fromApi(Api)
  return routes
    .filter(({ callerKind }) => callerKind === "business" || callerKind === "public")
    .flatMap(({ method, name, path }) => {
      const template = `/api/v1${path.replaceAll(/:(\w+)/gu, "{$1}")}`
      const at = [template, `${template}/`].find((it) => document.paths[documentPath(it)] !== undefined) ?? ""
      const operation =
        document.paths[documentPath(at)]?.[method.toLowerCase() as "get" | "post" | "patch" | "delete"]
      assert.isDefined(operation, name)
      const body = requestBodies.find((it) => it.method === method && it.path === at)
      const query = (operation?.parameters ?? []).filter((it) => it.in === "query").map((it) => it.name)
      return [...new Set([...(body?.fields ?? []).map((field) => field.path.replace(/^\./u, "")), ...query])]
        .filter((field) => /_ids?$/u.test(field))
        .map((field) => `${name} ${field}`)
    })
    .filter((field) => !noReferences.has(field))
}

/** A response without the parts that differ between requests: its id, its time and the remaining limit. */
const answered = ({ headers, status, text }: Answer) => ({
  status,
  text: text.replaceAll(/req_[0-9a-f]{24}/gu, "req"),
  headers: [...headers].filter(
    ([name]) => !["x-request-id", "date", "x-ratelimit-remaining", "x-ratelimit-reset"].includes(name)
  )
})

layer(Ports, { timeout: 60_000 })("another business's id", (it) => {
  it.effect("in a path answers as an absent one, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* tenant(server), yield* tenant(server)]
      const body = bodies(own.ids)
      const ask = ({ callerKind, method, name, path }: (typeof routes)[number], ids: Ids) => {
        const params = paramsOf(path)
        const filled = params.reduce((path, { of, param }) => {
          const kind = kinds[of]
          assert.isDefined(kind, `${name}: what is ${of}/${param}?`)
          return kind === undefined ? path : path.replace(param, String(ids[kind]))
        }, path)
        const credentials: Partial<Record<CallerKind, string>> = {
          driver: own.driverSession,
          user: own.token,
          person: own.token,
          userForBusiness: own.token
        }
        return server.send(method, `${filled}${requiredQueries[name] ?? ""}`, {
          credential: (callerKind && credentials[callerKind]) ?? own.key,
          ...(method === "GET" ? {} : (forms[name] ?? { body: body[name] ?? {} }))
        })
      }
      const before = yield* everything
      assert.isAbove(routesWithIds.length, 30)
      for (const route of routesWithIds) {
        const missing = yield* ask(route, absent)
        refusedAs(missing, 404, "not_found")
        assert.notStrictEqual(missing.body.error?.message, "No such route", route.name)
        assert.deepStrictEqual(answered(yield* ask(route, other.ids)), answered(missing), route.name)
        // If a path has several ids, also with only the last one foreign.
        if (paramsOf(route.path).length > 1) {
          const { creditNote, delivery, entry, payment } = absent
          const last = { ...own.ids, creditNote, delivery, entry, payment }
          const foreign = {
            ...own.ids,
            creditNote: other.ids.creditNote,
            delivery: other.ids.delivery,
            entry: other.ids.entry,
            payment: other.ids.payment
          }
          assert.deepStrictEqual(
            answered(yield* ask(route, foreign)),
            answered(yield* ask(route, last)),
            route.name
          )
        }
      }
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it("is tested in every field of the contract that names a record", () => {
    assert.sameMembers(Object.keys(references), referencesOfContract())
  })

  it.effect("in a body or a query answers as an absent one, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* tenant(server), yield* tenant(server)]
      const before = yield* everything
      for (const [field, request] of Object.entries(references)) {
        const [method = ""] = field.split(" ")
        const ask = (named: Ids) => {
          const [path, body] = request(own.ids, named)
          return server.send(method, path, { credential: own.key, ...(body === undefined ? {} : { body }) })
        }
        const missing = yield* ask(absent)
        if (method !== "GET") {
          const details = field.includes("/bulk ")
            ? (records(missing)[0]?.["error"] as { readonly details?: ReadonlyArray<{ issue: string }> })
                ?.details
            : refusedAs(missing, 422, "invalid_request")
          assert.deepStrictEqual(
            details?.map(({ issue }) => issue),
            ["not_found"],
            field
          )
        }
        assert.deepStrictEqual(answered(yield* ask(other.ids)), answered(missing), field)
      }
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it.effect("is in no list, and no stream of events", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* tenant(server), yield* tenant(server)]
      const lists = routes.filter(
        ({ callerKind, method, path }) => method === "GET" && callerKind === "business" && !path.includes(":")
      )
      assert.isAbove(lists.length, 7)
      for (const { name, path } of lists) {
        const query = /^GET \/(?:exports|reports)\//u.test(name)
          ? "?from=2026-01-01&to=2026-12-31"
          : ["GET /drivers/absences", "GET /drivers/free"].includes(name)
            ? "?from=2026-12-24T00:00:00Z&to=2026-12-25T00:00:00Z"
            : ""
        const { status, text } = yield* server.send("GET", `${path}${query}`, { credential: own.key })
        assert.strictEqual(status, 200, `${name}: ${text}`)
        for (const kind of [
          "car",
          "driver",
          "customer",
          "trip",
          "invoice",
          "product",
          "booking",
          "endpoint",
          "delivery"
        ] as const)
          assert.notMatch(
            text,
            new RegExp(`"${kind}_id":${other.ids[kind]}\\b`, "u"),
            `${name}: another's ${kind}`
          )
      }
    })
  )
})
