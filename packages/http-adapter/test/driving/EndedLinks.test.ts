import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assignment, employ } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

/** A trip that is assigned to a driver over HTTP, with the driver's token and functions for the requests of both. */
const setUp = Effect.gen(function* () {
  const server = yield* openServer()
  const acme = yield* business(server)
  const { driverId: first, tripId } = yield* assignment(acme.businessId, { status: "cancelled" })
  const second = yield* employ(acme.businessId)
  const assign = Effect.fnUntraced(function* (...driverIds: ReadonlyArray<number>) {
    const answer = yield* server.send("POST", `/trips/${tripId}/drivers`, {
      credential: acme.key,
      body: { driver_ids: driverIds, force: true }
    })
    const drivers = record(answer)["drivers"] as ReadonlyArray<{ readonly driver_token: string | null }>
    return drivers.map(({ driver_token }) => driver_token).findLast((token) => token !== null) ?? ""
  })
  const operator = (method: string, path: string, body?: object) =>
    server.send(method, `/trips/${tripId}${path}`, { credential: acme.key, ...(body && { body }) })
  const report = (token: string, status: string) =>
    server.send("POST", `/driver/status?token=${token}`, { body: { status } })
  /** The message of the 401 that the link returns. */
  const refusal = Effect.fnUntraced(function* (token: string) {
    const answer = yield* server.send("GET", `/driver/trip?token=${token}`)
    refusedAs(answer, 401, "unauthorized")
    return (JSON.parse(answer.text) as { readonly error: { readonly message: string } }).error.message
  })
  return { acme, assign, first, operator, refusal, report, second, token: yield* assign(first), tripId }
})

const noLonger = "This link is no longer valid: "

layer(Ports)("the message of a driver's link that was valid", (it) => {
  it.effect("says that the job is done", () =>
    Effect.gen(function* () {
      const { refusal, report, token } = yield* setUp
      assert.strictEqual((yield* report(token, "en_route")).status, 200)
      assert.strictEqual((yield* report(token, "completed")).status, 200)
      assert.strictEqual(yield* refusal(token), `${noLonger}the job is done`)
    })
  )

  it.effect("says that the trip was cancelled, or deleted", () =>
    Effect.gen(function* () {
      const cancelled = yield* setUp
      yield* cancelled.operator("PATCH", "", { status: "cancelled", cancel_reason: "operator" })
      assert.strictEqual(yield* cancelled.refusal(cancelled.token), `${noLonger}the trip was cancelled`)
      const deleted = yield* setUp
      assert.strictEqual((yield* deleted.operator("DELETE", "", { force: true })).status, 200)
      assert.strictEqual(yield* deleted.refusal(deleted.token), `${noLonger}the trip was deleted`)
    })
  )

  it.effect("says that the trip was given to another driver, or that the driver has a newer link", () =>
    Effect.gen(function* () {
      const { assign, first, refusal, second, token } = yield* setUp
      yield* assign(second)
      assert.strictEqual(yield* refusal(token), `${noLonger}the trip was given to another driver`)
      yield* assign(first)
      assert.strictEqual(yield* refusal(token), `${noLonger}the driver has a newer link for this trip`)
    })
  )

  it.effect("says that the assignment was cancelled, by the operator or the driver", () =>
    Effect.gen(function* () {
      const { assign, first, refusal, report, token } = yield* setUp
      yield* assign()
      assert.strictEqual(yield* refusal(token), `${noLonger}the driver's assignment was cancelled`)
      const next = yield* assign(first)
      assert.strictEqual((yield* report(next, "cancelled")).status, 200)
      assert.strictEqual(yield* refusal(next), `${noLonger}the driver's assignment was cancelled`)
    })
  )

  it.effect("names no co-driver who already had the trip, and nobody if the driver cancelled", () =>
    Effect.gen(function* () {
      const { assign, first, refusal, report, second, token } = yield* setUp
      const tokenOfSecond = yield* assign(first, second)
      yield* assign(first)
      assert.strictEqual(yield* refusal(tokenOfSecond), `${noLonger}the driver's assignment was cancelled`)
      yield* assign(first, second)
      assert.strictEqual((yield* report(token, "cancelled")).status, 200)
      assert.strictEqual(yield* refusal(token), `${noLonger}the driver's assignment was cancelled`)
    })
  )

  it.effect(
    "gives no reason for a token that was never issued, and an ended token is refused for each report",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { refusal, report, token, tripId } = yield* setUp
        assert.strictEqual(yield* refusal("drv_x"), "The credential is missing, invalid or expired")
        yield* report(token, "cancelled")
        for (const status of ["en_route", "completed"])
          refusedAs(yield* report(token, status), 401, "unauthorized")
        const [held] = yield* sql`
        SELECT count(*)::int AS tokens FROM assignments WHERE trip_id = ${tripId} AND token_hash IS NOT NULL`
        assert.deepStrictEqual(held, { tokens: 0 })
      })
  )
})
