/**
 * Sends a request to every route as every kind of caller. The expected answers follow from the callers that the route
 * declares to serve, so that a new route is tested without another line here.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Caller,
  expectations,
  expectedOf,
  forbidden,
  malformed,
  required,
  type Row,
  served,
  suspended,
  unauthenticated,
  unauthorized
} from "./support/CallerRows.ts"
import { callers } from "./support/Callers.ts"
import { optionalCredential, type Route, routes } from "./support/DeclaredRoutes.ts"
import { Ports } from "./support/TestPorts.ts"
import { type Answer, type Ask, openServer, type TestServer } from "./support/TestServer.ts"

const names = Object.keys(expectations) as ReadonlyArray<Caller>

/** The body is empty, so a served request is refused for it, or has no lasting effect. */
const askFor = (
  server: TestServer,
  { method, path }: Route,
  { query = "", ...ask }: Ask & { readonly query?: string }
) => server.sendTo(method, `${path}${query}`, method === "GET" ? ask : { ...ask, body: {} })

const refusalOf = ({ body, status }: Answer): string => [status, body.error?.type ?? ""].join(" ")

const isKeyLike = (credential: string | undefined) => credential?.startsWith("lvk_") === true

const refusals = [unauthorized, forbidden, suspended, required].map((refusal) => refusal.join(" "))

/** A served request gets any response of the route itself. */
const assertServed = (cell: string, answer: Answer) => {
  assert.notInclude(refusals, refusalOf(answer), cell)
  assert.isFalse([405, 429, 500].includes(answer.status), `${cell}: ${answer.text}`)
  assert.notDeepInclude(answer.body.error?.details ?? [], { field: "X-Business-Id", issue: "invalid" }, cell)
  assert.notStrictEqual(answer.body.error?.message, "No such route", cell)
}

const assertRefused = (cell: string, refusal: readonly [number, string], answer: Answer) => {
  assert.strictEqual(refusalOf(answer), refusal.join(" "), cell)
  const { details } = answer.body.error ?? {}
  if (refusal === malformed)
    assert.deepStrictEqual(details, [{ field: "X-Business-Id", issue: "invalid" }], cell)
  else if (refusal === required)
    assert.includeMembers(Object.keys(details?.[0] ?? {}), ["business_id", "business_name"], cell)
  else assert.isUndefined(details, cell)
}

layer(Ports)("the matrix of routes and callers", (it) => {
  it.effect("each caller gets the response that the route declares for it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const asks = yield* callers(server)
      for (const route of routes)
        for (const kind of route.callerKinds) {
          if (kind === "publicAuth" || kind === "public" || kind === "signed") continue
          for (const caller of names) {
            const cell = `${caller}: ${route.name}`
            const expected = expectedOf(caller, kind, route)
            const answer = yield* askFor(server, route, asks[caller])
            if (expected === served) assertServed(cell, answer)
            else assertRefused(cell, expected, answer)
            assert.isTrue(answer.headers.has("x-ratelimit-remaining"), cell)
          }
        }
    })
  )

  it.effect("a public route ignores credentials", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const asks = yield* callers(server)
      for (const route of routes.filter(
        ({ callerKinds }) =>
          callerKinds.includes("publicAuth") ||
          callerKinds.includes("public") ||
          callerKinds.includes("signed")
      )) {
        if (optionalCredential.has(route.name)) continue
        const stranger = yield* askFor(server, route, {})
        // A list refuses the parameter `token` with any value.
        const guest = yield* askFor(server, route, { query: "?token=nonsense" })
        for (const caller of names)
          assert.strictEqual(
            refusalOf(yield* askFor(server, route, asks[caller])),
            refusalOf(asks[caller].query === undefined ? stranger : guest),
            `${caller}: ${route.name}`
          )
      }
    })
  )

  it.effect("logging out accepts any user's access token, and no API key", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const asks = yield* callers(server)
      const logout = (ask: Ask) =>
        Effect.map(server.send("POST", "/auth/logout", { ...ask, body: {} }), refusalOf)
      const ended = new Set<string | undefined>()
      for (const caller of names) {
        const { credential } = asks[caller]
        const row: Row = expectations[caller]
        const isPerson =
          credential !== undefined &&
          row.driver !== unauthorized &&
          !isKeyLike(credential) &&
          !ended.has(credential)
        const isKey = isKeyLike(credential) && row !== unauthenticated
        const expected = isKey ? "403 forbidden" : "401 unauthorized"
        assert.strictEqual(yield* logout(asks[caller]), isPerson ? "200 " : expected, caller)
        ended.add(credential)
      }
    })
  )
})
