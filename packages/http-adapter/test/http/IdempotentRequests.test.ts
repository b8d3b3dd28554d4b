import { TripRepository } from "@livery/domain"
import { Api, documentedOperations, listOf, objectOf } from "@livery/contract"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Ports } from "../support/TestPorts.ts"
import { business, login, newcomer, operator, signUp } from "../support/People.ts"
import { type Answer, type Ask, openServer, record, refusedAs } from "../support/TestServer.ts"

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

const named = (key: string, ask: Ask = {}): Ask => ({
  ...ask,
  headers: { ...ask.headers, "Idempotency-Key": key }
})

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"

/** Checks that the second response equals the first, except for the request id. */
const assertSame = (first: Answer, second: Answer) => {
  assert.isFalse(isReplay(first))
  assert.isTrue(isReplay(second), second.text)
  const [{ meta: one, ...reported }, { meta: other, ...repeated }] = [first.body, second.body]
  assert.deepStrictEqual([second.status, repeated], [first.status, reported])
  assert.notStrictEqual(other?.request_id, one?.request_id)
  assert.strictEqual(second.headers.get("etag"), first.headers.get("etag"))
}

const written = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT
    (SELECT count(*)::int FROM trips WHERE business_id = ${businessId}) AS trips,
    (SELECT count(*)::int FROM events WHERE business_id = ${businessId}) AS events`
  return { ...row }
})

layer(Ports)("a POST with an Idempotency-Key", (it) => {
  it.effect("sent again gets the same response, and the trip and its event exist once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = named("booking 1", { credential: key, body: trip })
      const first = yield* server.send("POST", "/trips", ask)
      assert.strictEqual(first.status, 201)
      assertSame(first, yield* server.send("POST", "/trips", ask))
      assertSame(first, yield* server.send("POST", "/trips", ask))
      assert.deepStrictEqual(yield* written(businessId), { trips: 1, events: 1 })
    })
  )

  it.effect("sent twenty times at once books one trip, and every response has that one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = named("booking 1", { credential: key, body: trip })
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => server.send("POST", "/trips", ask),
        { concurrency: "unbounded" }
      )
      const ids = new Set(answers.map((answer) => record(answer)["trip_id"]))
      assert.deepStrictEqual([ids.size, answers.filter((answer) => !isReplay(answer)).length], [1, 1])
      assert.deepStrictEqual(yield* written(businessId), { trips: 1, events: 1 })
    })
  )

  it.effect("is 409 with another body or on another route, and without effect", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const first = named("one", { credential: key, body: trip })
      yield* server.send("POST", "/trips", first)
      const other = named("one", { credential: key, body: { ...trip, customer_name: "Bob" } })
      refusedAs(yield* server.send("POST", "/trips", other), 409, "conflict")
      refusedAs(yield* server.send("POST", "/webhooks", first), 409, "conflict")
      refusedAs(yield* server.send("POST", "/trips?x=1", first), 409, "conflict")
      assert.isTrue(isReplay(yield* server.send("POST", "/trips", first)))
      assert.deepStrictEqual(yield* written(businessId), { trips: 1, events: 1 })
    })
  )

  it.effect("that a use case refused gets the same refusal, also if it would succeed now", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const ask = named("one", { credential: key, body: { ...trip, car_id: 999_999 } })
      const first = yield* server.send("POST", "/trips", ask)
      assert.deepStrictEqual(refusedAs(first, 422, "invalid_request"), [
        { field: "car_id", issue: "not_found" }
      ])
      assertSame(first, yield* server.send("POST", "/trips", ask))
    })
  )

  it.effect("that did not decode leaves its key for the one that does", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = (body: object) => server.send("POST", "/trips", named("one", { credential: key, body }))
      refusedAs(yield* ask({}), 422, "invalid_request")
      const malformed = named("one", { credential: key, text: "{" })
      refusedAs(yield* server.send("POST", "/trips", malformed), 400, "invalid_request")
      const answer = yield* ask(trip)
      assert.deepStrictEqual([answer.status, isReplay(answer)], [201, false])
      assert.deepStrictEqual(yield* written(businessId), { trips: 1, events: 1 })
    })
  )

  it.effect("that failed is carried out when it is repeated, and the first has no effect", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = named("one", { credential: key, body: trip })
      const failing = yield* openServer().pipe(
        Effect.provideService(TripRepository, {
          ...trips,
          insert: (...trip) => Effect.andThen(trips.insert(...trip), Effect.die(new Error("lightning")))
        })
      )
      refusedAs(yield* failing.send("POST", "/trips", ask), 500, "server_error")
      assert.deepStrictEqual(yield* written(businessId), { trips: 0, events: 0 })
      const answer = yield* server.send("POST", "/trips", ask)
      assert.deepStrictEqual([answer.status, isReplay(answer)], [201, false])
      assert.deepStrictEqual(yield* written(businessId), { trips: 1, events: 1 })
    })
  )

  it.effect("whose chunked body is beyond 1 MiB is 413, also on a route that takes no body", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const booked = record(yield* server.send("POST", "/trips", { credential: key, body: trip }))
      const path = `/trips/${String(booked["trip_id"])}/tracking-link`
      const text = JSON.stringify({ ignored: "x".repeat(2 ** 20) })
      const ask = named("one", { credential: key, text, headers: { "transfer-encoding": "chunked" } })
      refusedAs(yield* server.send("POST", path, ask), 413, "invalid_request")
    })
  )

  it.effect("has a key of 1 to 255 printable characters, or is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = (name: string) =>
        server.send("POST", "/trips", named(name, { credential: key, body: trip }))
      for (const [name, issue] of [
        ["x".repeat(256), "too_long"],
        ["caf\u00e9", "invalid"],
        ["a\tb", "invalid"],
        ["", "invalid"]
      ] as const)
        assert.deepStrictEqual(refusedAs(yield* ask(name), 422, "invalid_request"), [
          { field: "Idempotency-Key", issue }
        ])
      assert.deepStrictEqual(yield* written(businessId), { trips: 0, events: 0 })
      for (const name of ["x".repeat(255), "~"]) assert.strictEqual((yield* ask(name)).status, 201)
    })
  )

  it.effect("belongs to one caller: a business's key, or a person of the business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const one = yield* business(server)
      const other = yield* business(server)
      for (const credential of [one.key, other.key, one.token]) {
        const answer = yield* server.send("POST", "/trips", named("one", { credential, body: trip }))
        assert.deepStrictEqual([answer.status, isReplay(answer)], [201, false])
      }
      assert.deepStrictEqual(yield* written(one.businessId), { trips: 2, events: 2 })
      // All API keys of a business are one caller.
      const { api_key: second } = record(
        yield* server.send("POST", "/me/api-keys", { credential: one.token })
      )
      const ask = named("one", { credential: String(second), body: trip })
      assert.isTrue(isReplay(yield* server.send("POST", "/trips", ask)))
    })
  )

  it.effect("is carried out again after 24 hours", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const ask = named("one", { credential: key, body: trip })
      yield* server.send("POST", "/trips", ask)
      yield* TestClock.adjust("23 hours")
      assert.isTrue(isReplay(yield* server.send("POST", "/trips", ask)))
      yield* TestClock.adjust("1 hour")
      assert.isFalse(isReplay(yield* server.send("POST", "/trips", ask)))
      assert.deepStrictEqual(yield* written(businessId), { trips: 2, events: 2 })
    })
  )

  it.effect("shows a secret again, which the database does not show", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { token } = yield* operator(server)
      const ask = named("one", { credential: token })
      const first = yield* server.send("POST", "/me/api-keys", ask)
      assertSame(first, yield* server.send("POST", "/me/api-keys", ask))
      const kept = JSON.stringify(yield* sql`SELECT * FROM idempotency_keys`)
      assert.notInclude(kept, String(record(first)["api_key"]))
      assert.notInclude(kept, "lvk_")
    })
  )

  it.effect("counts against the limit each time, and its headers have the current count", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const server = yield* openServer({ limits: { business: 2 } })
      const ask = named("one", { credential: key, body: trip })
      const left = ({ headers }: Answer) => headers.get("x-ratelimit-remaining")
      assert.strictEqual(left(yield* server.send("POST", "/trips", ask)), "1")
      assert.strictEqual(left(yield* server.send("POST", "/trips", ask)), "0")
      refusedAs(yield* server.send("POST", "/trips", ask), 429, "rate_limited")
    })
  )
})

/** A rotated refresh token that comes again is theft, a code signs in once, and the payment provider's notices have an event id of their own. */
const neverRepeated = new Set([
  "POST /api/v1/auth/refresh",
  "POST /api/v1/auth/idp/begin",
  "POST /api/v1/auth/idp/finish",
  "POST /api/v1/auth/demonstration",
  "POST /api/v1/public/payments/stripe",
  "POST /api/v1/public/text-callbacks/{token}"
])
const repeatedChanges = new Set(["PATCH /api/v1/me/driver/trips/{id}"])

it("the document lists an Idempotency-Key for every POST except the token refresh, sign-ins by redirect or with a printed code and the notices of providers, and else for a driver's report alone", () => {
  const takers = documentedOperations(OpenApi.fromApi(Api)).map(({ method, operation, path }) => ({
    name: `${method} ${path}`,
    isPost: method === "POST",
    takes: listOf(operation["parameters"]).some((it) => objectOf(it)["name"] === "Idempotency-Key")
  }))
  assert.isTrue(takers.some(({ isPost }) => isPost))
  for (const { isPost, name, takes } of takers)
    assert.strictEqual(takes, repeatedChanges.has(name) || (isPost && !neverRepeated.has(name)), name)
})

layer(Ports)("a public POST with an Idempotency-Key", (it) => {
  it.effect("sent again from one address signs up one user, and from another is another request", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const body = newcomer()
      const ask = (peer: string) => server.send("POST", "/auth/register", named("me", { body, peer }))
      const first = yield* ask("192.0.2.1")
      assert.strictEqual(first.status, 201)
      assertSame(first, yield* ask("192.0.2.1"))
      refusedAs(yield* ask("192.0.2.2"), 409, "email_exists")
    })
  )

  it.effect("gives no refresh token twice: one that was rotated is theft under any key", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const session = yield* login(server, yield* operator(server))
      const body = { refresh_token: record(session)["refresh_token"] }
      const refresh = server.send("POST", "/auth/refresh", named("again", { body }))
      const kept = Effect.map(sql`SELECT FROM idempotency_keys`, (rows) => rows.length)
      const before = yield* kept
      const successor = record(yield* refresh)["refresh_token"]
      refusedAs(yield* refresh, 401, "unauthorized")
      const next = { body: { refresh_token: successor } }
      refusedAs(yield* server.send("POST", "/auth/refresh", next), 401, "unauthorized")
      assert.strictEqual(yield* kept, before)
    })
  )

  it.effect("refused for its caller is not stored", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* signUp(server)
      const ask = named("me", { body: { email: person.email, password: person.password } })
      refusedAs(yield* server.send("POST", "/auth/login", ask), 403, "email_unverified")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET email_verified_at = now() WHERE user_id = ${person.userId}`
      const first = yield* server.send("POST", "/auth/login", ask)
      assert.strictEqual(first.status, 200)
      assertSame(first, yield* server.send("POST", "/auth/login", ask))
      assert.isFalse(isReplay(yield* login(server, person)))
    })
  )
})
