import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assignment, driverOf, employ } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs } from "../support/TestServer.ts"

/** A trip with a driver who has an account and a link, and the requests of the driver and of the office. */
const setUp = Effect.gen(function* () {
  const server = yield* openServer()
  const sql = yield* SqlClient.SqlClient
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const { token, tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId })
  const office = (method: string, path: string, body?: object) =>
    server.send(method, `/trips/${tripId}${path}`, { credential: acme.key, ...(body && { body }) })
  const entries = (change: string) =>
    Effect.map(
      sql`SELECT change FROM trip_changes
          WHERE business_id = ${acme.businessId} AND trip_id = ${tripId} AND change = ${change}`,
      ({ length }) => length
    )
  const events = (type: string) =>
    Effect.map(
      sql`SELECT body FROM events WHERE business_id = ${acme.businessId} AND event_type = ${type}`,
      (rows) => rows.map(({ body }) => JSON.parse(String(body)).data as Readonly<Record<string, unknown>>)
    )
  return {
    acme,
    driver,
    entries,
    events,
    office,
    server,
    tripId,
    byAccount: (body: object, credential = driver.token) =>
      server.send("PATCH", `/me/driver/trips/${tripId}`, { credential, body }),
    byToken: (body: object) => server.send("POST", `/driver/status?token=${token}`, { body }),
    trip: Effect.map(office("GET", ""), record)
  }
})

const driversOf = (trip: Readonly<Record<string, unknown>>) =>
  trip["drivers"] as ReadonlyArray<Readonly<Record<string, unknown>>>

/** Either of two answers, and what must hold after it. */
const isEither = ({ status }: Answer, ...allowed: ReadonlyArray<number>) => assert.include(allowed, status)

layer(Ports)("a driver's answer to a job", (it) => {
  it.effect("is given with the account, with the link or by the office, and is one change", () =>
    Effect.gen(function* () {
      const { byAccount, byToken, driver, entries, events, office, trip } = yield* setUp
      const accepted = record(yield* byToken({ accepted: true }))
      assert.isString(accepted["accepted_at"])
      for (const again of [
        byAccount({ accepted: true }),
        office("PATCH", "/driver-status", { accepted: true })
      ])
        assert.strictEqual((yield* again).status, 200)
      const { accepted_at } = driversOf(yield* trip)[0] ?? {}
      assert.deepStrictEqual([accepted_at, yield* entries("driver_accepted")], [accepted["accepted_at"], 1])
      const [event] = yield* events("trip.updated")
      assert.deepInclude(driversOf(event ?? {})[0], { driver_id: driver.driverId, accepted_at })
    })
  )

  it.effect(
    "is refused to a driver who is not on the trip, and for another pickup than the present one",
    () =>
      Effect.gen(function* () {
        const { acme, byAccount, byToken, server, trip } = yield* setUp
        const other = yield* driverOf(server, acme.businessId)
        refusedAs(yield* byAccount({ accepted: true }, other.token), 404, "not_found")
        refusedAs(yield* byToken({ accepted: true, pickup_address: "Elsewhere" }), 409, "conflict")
        assert.deepStrictEqual(
          refusedAs(yield* byToken({ accepted: "yes", trip_date: "x" }), 422, "invalid_request")?.map(
            ({ field }) => field
          ),
          ["accepted", "trip_date"]
        )
        assert.strictEqual(driversOf(yield* trip)[0]?.["accepted_at"], null)
      })
  )

  it.effect("shows the office a declined job with its reason, on the trip and on the board", () =>
    Effect.gen(function* () {
      const { acme, byToken, driver, events, server, trip, tripId } = yield* setUp
      const { pickup_at } = yield* trip
      const declined = yield* byToken({ status: "cancelled", reason: "The car is broken" })
      assert.strictEqual(declined.status, 200, declined.text)
      const [former] = driversOf(yield* trip)
      assert.deepInclude(former, { status: "cancelled", decline_reason: "The car is broken" })
      const board = yield* server.send("GET", `/dispatch/trips?date=${String(pickup_at).slice(0, 10)}`, {
        credential: acme.key
      })
      const jobs = (
        JSON.parse(board.text) as { readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> }
      ).data
      assert.deepStrictEqual(jobs.find(({ trip_id }) => trip_id === tripId)?.["declined"], [former])
      assert.deepInclude((yield* events("driver.assigned")).at(-1) ?? {}, {
        declined_driver_ids: [driver.driverId]
      })
    })
  )

  it.effect("two acceptances at once are one change", () =>
    Effect.gen(function* () {
      const { byAccount, byToken, entries, trip } = yield* setUp
      const answers = yield* Effect.all([byAccount({ accepted: true }), byToken({ accepted: true })], {
        concurrency: "unbounded"
      })
      const times = answers.map((answer) => record(answer)["accepted_at"])
      const { accepted_at } = driversOf(yield* trip)[0] ?? {}
      assert.deepStrictEqual([times, yield* entries("driver_accepted")], [[accepted_at, accepted_at], 1])
    })
  )

  it.effect("an acceptance against another driver's assignment never accepts for the other driver", () =>
    Effect.gen(function* () {
      const { acme, byToken, entries, office, trip } = yield* setUp
      const other = yield* employ(acme.businessId)
      const [answer, assigned] = yield* Effect.all(
        [byToken({ accepted: true }), office("POST", "/drivers", { driver_ids: [other], force: true })],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(assigned.status, 200, assigned.text)
      isEither(answer, 200, 401, 422)
      assert.deepStrictEqual((yield* trip)["driver_ids"], [other])
      const [former, present] = driversOf(yield* trip)
      assert.deepInclude(present, { driver_id: other, accepted_at: null })
      assert.strictEqual(former?.["accepted_at"] !== null, answer.status === 200)
      assert.strictEqual(yield* entries("driver_accepted"), answer.status === 200 ? 1 : 0)
    })
  )

  it.effect(
    "an acceptance against the cancellation of the trip counts if it came first, else it is refused",
    () =>
      Effect.gen(function* () {
        const { byToken, entries, office, trip } = yield* setUp
        const [answer, cancelled] = yield* Effect.all(
          [byToken({ accepted: true }), office("PATCH", "", { status: "cancelled", force: true })],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(cancelled.status, 200, cancelled.text)
        isEither(answer, 200, 401, 422)
        assert.strictEqual((yield* trip)["status"], "cancelled")
        assert.strictEqual(yield* entries("driver_accepted"), answer.status === 200 ? 1 : 0)
      })
  )

  it.effect("an acceptance against another pickup time never counts for the new time", () =>
    Effect.gen(function* () {
      const { byToken, office, trip } = yield* setUp
      const { trip_date } = yield* trip
      const moved = new Date(Date.parse(String(trip_date)) + 3_600_000).toISOString()
      const [answer, changed] = yield* Effect.all(
        [byToken({ accepted: true, trip_date }), office("PATCH", "", { trip_date: moved, force: true })],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(changed.status, 200, changed.text)
      isEither(answer, 200, 409)
      assert.strictEqual(driversOf(yield* trip)[0]?.["accepted_at"], null)
    })
  )
})
