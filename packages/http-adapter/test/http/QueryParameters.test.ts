import { Api, type CallerKind, callerKindsOf, documentPath } from "@livery/contract"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { type ApiRoute, routesOf } from "../../src/http/pipeline/Routes.ts"
import { driverOf } from "../support/Drivers.ts"
import { business, superAdmin } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const document = OpenApi.fromApi(Api)

const pathOf = ({ pattern }: ApiRoute) => documentPath(pattern.replaceAll(/:(\w+)/gu, "{$1}"))

const isListSchema = (name: string) => {
  const schema = document.components.schemas[name] as { properties?: { data?: { type?: unknown } } }
  return schema.properties?.data?.type === "array"
}

/** The query parameters that routes require; a missing one is named too. */
const missingOf = (route: ApiRoute) =>
  (document.paths[pathOf(route)]?.get?.parameters ?? []).flatMap((parameter) =>
    parameter.in === "query" && parameter.required ? [{ field: parameter.name, issue: "required" }] : []
  )

const isList = (route: ApiRoute) => {
  const operation = document.paths[pathOf(route)]?.get
  const body = JSON.stringify(operation?.responses["200"] ?? {})
  const [, name] = /"#\/components\/schemas\/(\w+)"/u.exec(body) ?? []
  return route.method === "GET" && name !== undefined && isListSchema(name)
}

const lists = routesOf(Api).filter(isList)

/** Requests a list with a query string, as a caller of the route. */
const askerOf = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const root = yield* superAdmin(server)
  return (route: ApiRoute, query: string) => {
    const [callerKind] = callerKindsOf(route.endpoint)
    const credentials: Partial<Record<CallerKind, string>> = {
      business: acme.key,
      driver: driver.token,
      superAdmin: root.token,
      user: acme.token,
      person: acme.token,
      userForBusiness: acme.token
    }
    const credential = callerKind && credentials[callerKind]
    const path = route.pattern.replaceAll(/:\w+/gu, "999999999")
    return server.sendTo("GET", `${path}?${query}`, { credential })
  }
})

layer(PortsInMemory)("query parameters of lists", (it) => {
  it.effect("a list refuses a parameter that it does not know, and names it", () =>
    Effect.gen(function* () {
      assert.isAtLeast(lists.length, 17)
      const ask = yield* askerOf(yield* openServer())
      for (const route of lists) {
        const details = refusedAs(yield* ask(route, "serch=x&zone=1&zone=2"), 422, "invalid_request")
        assert.sameDeepMembers(
          [...(details ?? [])],
          [
            { field: "serch", issue: "unknown_value" },
            { field: "zone", issue: "unknown_value" },
            ...missingOf(route)
          ],
          route.pattern
        )
      }
    })
  )

  it.effect("an unknown parameter is named together with wrong values of known ones", () =>
    Effect.gen(function* () {
      const ask = yield* askerOf(yield* openServer())
      for (const route of lists.filter(({ pattern }) => pattern.endsWith("/trips"))) {
        const details = refusedAs(yield* ask(route, "colour=red&page=0"), 422, "invalid_request")
        assert.sameDeepMembers(
          [...(details ?? [])],
          [
            { field: "colour", issue: "unknown_value" },
            { field: "page", issue: "out_of_range" }
          ],
          route.pattern
        )
      }
    })
  )

  it.effect(
    "the message lists the parameters that the list knows, and the values that a parameter accepts",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key: credential } = yield* business(server)
        const messageOf = (path: string) =>
          Effect.map(server.send("GET", path, { credential }), ({ body }) => body.error?.message)
        assert.strictEqual(
          yield* messageOf("/cars?serch=x"),
          "The input is not valid: serch unknown_value (accepted: page, per_page, active)"
        )
        assert.strictEqual(
          yield* messageOf("/quotes?status=new"),
          "The input is not valid: status unknown_value " +
            "(accepted: draft, sent, accepted, converted, rejected, expired)"
        )
      })
  )

  it.effect("pages of trips hold 20, whatever `per_page` says", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const answer = yield* server.send("GET", "/trips?per_page=50", { credential })
      assert.strictEqual(answer.body.meta?.pagination?.["per_page"], 20)
    })
  )

  it.effect("a search for `null` looks for that word", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      for (const name of ["Null Island Tours", "Ada"])
        records({ ...(yield* server.send("POST", "/customers", { credential, body: { name } })) })
      const found = yield* server.send("GET", "/customers?search=null", { credential })
      assert.deepStrictEqual(
        records(found).map(({ name }) => name),
        ["Null Island Tours"]
      )
      assert.lengthOf(records(yield* server.send("GET", "/customers?search=", { credential })), 2)
    })
  )

  it("no query parameter takes `null` for its absence", () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const { in: place, name, schema } of item.get?.parameters ?? []) {
        assert.notStrictEqual(name, "", path)
        if (place === "query") assert.notInclude(JSON.stringify(schema), '"null"', `${path} ${name}`)
      }
  })
})
