import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const at = (time: string) => `2026-12-24T${time}:00Z`
const group_id = "Wedding"

/** The changed trips of a group. */
const changed = (answer: Answer) => record(answer)["trips"] as ReadonlyArray<ReturnType<typeof record>>

/** A business with that policy, with trips and drivers by number. */
const businessWithPolicy = Effect.fnUntraced(function* (
  server: TestServer,
  clash_policy: "off" | "warn" | "enforce" = "warn"
) {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy }))
  const sql = yield* SqlClient.SqlClient
  return {
    ...it,
    newDriver: Effect.map(it.driver(), ({ driver_id }) => Number(driver_id)),
    newTrip: (time: string, more: object = { group_id }) =>
      Effect.map(it.trip({ trip_date: at(time), ...more }), ({ trip_id }) => Number(trip_id)),
    assign: (tripId: number, driver_ids: ReadonlyArray<number>, more: object = {}) =>
      it.send("POST", `/trips/${tripId}/drivers`, { driver_ids, ...more }),
    change: (body: unknown) => it.send("POST", "/dispatch/groups", body),
    read: (tripId: number) => Effect.map(it.send("GET", `/trips/${tripId}`), record),
    /** The types of the events by trip, since the booking. */
    events: Effect.map(
      sql<{ trip: number; type: string }>`
        SELECT (body::jsonb->'data'->>'trip_id')::int AS trip, event_type AS type FROM events
        WHERE business_id = ${it.businessId} AND event_type <> 'trip.created' ORDER BY trip, sequence`,
      (rows) => rows.map(({ trip, type }) => [trip, type])
    )
  }
})

layer(Ports)("a group of trips", (it) => {
  it.effect("is cancelled by one request, with the events of each trip; ended and other trips stay", () =>
    Effect.gen(function* () {
      const { assign, change, events, newDriver, newTrip, read, send } = yield* businessWithPolicy(
        yield* openServer()
      )
      const [one, two, done, other] = [
        yield* newTrip("10:00"),
        yield* newTrip("11:00"),
        yield* newTrip("09:00"),
        yield* newTrip("10:00", { group_id: "Funeral" })
      ]
      const dan = yield* newDriver
      record(yield* assign(one, [dan]))
      record(yield* send("PATCH", `/trips/${done}`, { status: "completed" }))
      const answer = yield* change({ group_id, status: "cancelled", cancel_reason: "customer_request" })
      assert.deepStrictEqual(
        changed(answer).map(({ cancel_reason, status, trip_id, warnings }) => [
          trip_id,
          status,
          cancel_reason,
          warnings
        ]),
        [one, two].map((trip) => [trip, "cancelled", "customer_request", []])
      )
      assert.deepStrictEqual(record(answer)["ended_trip_ids"], [done])
      assert.strictEqual((yield* read(done))["status"], "completed")
      assert.strictEqual((yield* read(other))["status"], "confirmed")
      assert.deepStrictEqual(yield* events, [
        [one, "driver.assigned"],
        [one, "trip.updated"],
        [one, "trip.cancelled"],
        [one, "driver.assigned"],
        [two, "trip.updated"],
        [two, "trip.cancelled"],
        [done, "trip.updated"],
        [done, "trip.completed"]
      ])
      assert.deepStrictEqual(
        refusedAs(yield* change({ group_id, status: "cancelled" }), 422, "invalid_request"),
        wrong({ group_id: "not_found" })
      )
    })
  )

  it.effect("moves by some minutes, past midnight too, and its own trips do not clash with each other", () =>
    Effect.gen(function* () {
      const { assign, change, events, newDriver, newTrip, read } = yield* businessWithPolicy(
        yield* openServer(),
        "enforce"
      )
      const [one, two] = [yield* newTrip("22:00"), yield* newTrip("23:00")]
      const dan = yield* newDriver
      record(yield* assign(one, [dan]))
      record(yield* assign(two, [dan]))
      const before = yield* events
      const moved = changed(yield* change({ group_id, move_minutes: 60 }))
      assert.deepStrictEqual(
        moved.map(({ pickup_at, trip_date, warnings }) => [trip_date, pickup_at, warnings]),
        [
          ["2026-12-24T23:00:00Z", "2026-12-24 23:00:00", []],
          ["2026-12-25T00:00:00Z", "2026-12-25 00:00:00", []]
        ]
      )
      assert.deepStrictEqual((yield* events).length - before.length, 2)
      record(yield* change({ group_id, move_minutes: -120 }))
      assert.strictEqual((yield* read(two))["trip_date"], at("22:00"))
    })
  )

  it.effect("moves no trip to a time that a timestamp cannot express", () =>
    Effect.gen(function* () {
      const { change, newTrip, read } = yield* businessWithPolicy(yield* openServer())
      const first = yield* newTrip("10:00", { group_id, trip_date: "1970-01-02T00:00:00Z" })
      const last = yield* newTrip("10:00", { group_id: "Jubilee", trip_date: "2999-12-30T12:00:00Z" })
      for (const [group, minutes] of [
        [group_id, -2880],
        ["Jubilee", 2880]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* change({ group_id: group, move_minutes: minutes }), 422, "invalid_request"),
          wrong({ move_minutes: "out_of_range" })
        )
      assert.strictEqual((yield* read(first))["trip_date"], "1970-01-02T00:00:00Z")
      record(yield* change({ group_id: "Jubilee", move_minutes: 1440 }))
      assert.strictEqual((yield* read(last))["trip_date"], "2999-12-31T12:00:00Z")
    })
  )

  it.effect("stays where it is if one of its trips would clash under `enforce`, until it is confirmed", () =>
    Effect.gen(function* () {
      const { assign, change, newDriver, newTrip, read } = yield* businessWithPolicy(
        yield* openServer(),
        "enforce"
      )
      const [one, two, busy] = [yield* newTrip("10:00"), yield* newTrip("12:00"), yield* newTrip("13:30", {})]
      const dan = yield* newDriver
      record(yield* assign(two, [dan]))
      record(yield* assign(busy, [dan]))
      const clash = { type: "schedule_clash", driver_id: dan, trip_id: busy }
      const refused = yield* change({ group_id, move_minutes: 60 })
      assert.deepStrictEqual(refusedAs(refused, 409, "confirmation_required"), [
        { group_trip_id: two, ...clash }
      ])
      assert.deepStrictEqual(
        [(yield* read(one))["trip_date"], (yield* read(two))["trip_date"]],
        [at("10:00"), at("12:00")]
      )
      const forced = changed(yield* change({ group_id, move_minutes: 60, force: true }))
      assert.deepStrictEqual(
        forced.map(({ warnings }) => warnings),
        [[], [clash]]
      )
    })
  )

  it.effect("of another business is not found; every wrong field is named, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* businessWithPolicy(server), yield* businessWithPolicy(server)]
      const [mine, theirs] = [yield* own.newTrip("10:00", {}), yield* other.newTrip("10:00")]
      const refused = (body: unknown) =>
        Effect.map(own.change(body), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(
        yield* refused({ group_id, status: "cancelled" }),
        wrong({ group_id: "not_found" })
      )
      assert.deepStrictEqual(yield* refused({}), wrong({ group_id: "required" }))
      assert.deepStrictEqual(yield* refused({ group_id }), wrong({ status: "required" }))
      assert.deepStrictEqual(
        yield* refused({ group_id: "x".repeat(101), status: "completed", cancel_reason: "x", force: 1 }),
        wrong({
          group_id: "too_long",
          status: "unknown_value",
          cancel_reason: "unknown_value",
          force: "invalid"
        })
      )
      for (const move_minutes of [0, 44_641, -44_641])
        assert.deepStrictEqual(
          yield* refused({ group_id, move_minutes }),
          wrong({ move_minutes: "out_of_range" })
        )
      assert.deepStrictEqual(
        yield* refused({ group_id, status: "cancelled", move_minutes: 5 }),
        wrong({ move_minutes: "invalid" })
      )
      assert.deepStrictEqual(
        yield* refused({ group_id, move_minutes: 5, cancel_reason: "other" }),
        wrong({ cancel_reason: "invalid" })
      )
      assert.deepInclude(yield* own.read(mine), { status: "confirmed", trip_date: at("10:00") })
      assert.deepInclude(yield* other.read(theirs), { status: "confirmed", trip_date: at("10:00") })
    })
  )

  it.effect(
    "gets fields, drivers and a time together, from one trip on; trips that ended stay and are named",
    () =>
      Effect.gen(function* () {
        const { assign, change, events, newDriver, newTrip, read, send } = yield* businessWithPolicy(
          yield* openServer()
        )
        const [past, first, second, third] = [
          yield* newTrip("08:00"),
          yield* newTrip("09:00"),
          yield* newTrip("10:00"),
          yield* newTrip("11:00")
        ]
        const [dan, eve] = [yield* newDriver, yield* newDriver]
        record(yield* assign(second, [dan]))
        for (const trip of [past, third])
          record(yield* send("PATCH", `/trips/${trip}`, { status: "completed" }))
        const before = (yield* events).length
        const answer = yield* change({
          group_id,
          from_trip_id: first,
          move_minutes: 15,
          changes: {
            pickup_address: "Hall 5",
            vehicle_class: "van",
            customer_name: "Bo",
            notes: "Side door"
          },
          driver_ids: [eve]
        })
        assert.deepStrictEqual(
          changed(answer).map(({ driver_ids, notes, pickup_address, trip_date, trip_id, vehicle_class }) => [
            trip_id,
            trip_date,
            pickup_address,
            vehicle_class,
            notes,
            driver_ids
          ]),
          [
            [first, at("09:15"), "Hall 5", "van", "Side door", [eve]],
            [second, at("10:15"), "Hall 5", "van", "Side door", [eve]]
          ]
        )
        assert.deepStrictEqual(record(answer)["ended_trip_ids"], [third])
        assert.deepInclude(yield* read(past), { pickup_address: "Here", driver_ids: [] })
        assert.deepInclude(yield* read(third), { pickup_address: "Here", notes: null })
        assert.deepStrictEqual((yield* events).length - before, 4)
      })
  )

  it.effect("changes no trip if one of them refuses a field, a driver or a price", () =>
    Effect.gen(function* () {
      const { assign, change, newDriver, newTrip, read, send } = yield* businessWithPolicy(
        yield* openServer(),
        "enforce"
      )
      const [one, two, busy] = [
        yield* newTrip("10:00", { group_id, total_amount: 80 }),
        yield* newTrip("12:00", { group_id, total_amount: 80, trip_date: "2026-12-24T12:00:00Z" }),
        yield* newTrip("12:30", {})
      ]
      const dan = yield* newDriver
      record(yield* assign(busy, [dan]))
      assert.deepStrictEqual(
        refusedAs(yield* change({ group_id, driver_ids: [dan] }), 409, "confirmation_required"),
        [{ group_trip_id: two, type: "schedule_clash", driver_id: dan, trip_id: busy }]
      )
      const refused = (body: object) =>
        Effect.map(change({ group_id, ...body }), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(
        yield* refused({ changes: { car_id: 999, total_amount: 0.001 }, driver_ids: [998] }),
        wrong({
          "changes.total_amount": "invalid",
          "changes.car_id": "not_found",
          "driver_ids.0": "not_found"
        })
      )
      assert.deepStrictEqual(yield* refused({ changes: {} }), wrong({ changes: "required" }))
      assert.deepStrictEqual(
        yield* refused({ status: "cancelled", changes: { notes: "x" }, driver_ids: [] }),
        wrong({ changes: "invalid", driver_ids: "invalid" })
      )
      record(yield* send("POST", "/invoices", { trip_ids: [two] }))
      refusedAs(yield* change({ group_id, changes: { total_amount: 90 } }), 409, "conflict")
      for (const trip of [one, two])
        assert.deepInclude(yield* read(trip), { total_amount: 80, car_id: null, driver_ids: [] })
    })
  )

  it.effect("leaves each trip that is completed or changed meanwhile as both requests want it", () =>
    Effect.gen(function* () {
      const { change, newTrip, read, send } = yield* businessWithPolicy(yield* openServer())
      const trips: Array<number> = []
      for (let hour = 10; hour < 18; hour++) trips.push(yield* newTrip(`${hour}:00`))
      const [done = 0, ...others] = trips
      const [answer] = yield* Effect.all(
        [
          change({ group_id, changes: { pickup_address: "Hall 5" } }),
          send("PATCH", `/trips/${done}`, { status: "completed" }),
          ...others.map((trip) => send("PATCH", `/trips/${trip}`, { notes: "Side door" }))
        ],
        { concurrency: "unbounded" }
      )
      const ids = new Set(changed(answer).map(({ trip_id }) => trip_id))
      const ended = record(answer)["ended_trip_ids"]
      assert.deepStrictEqual([ids.has(done), ended], ids.has(done) ? [true, []] : [false, [done]])
      assert.deepInclude(yield* read(done), {
        status: "completed",
        pickup_address: ids.has(done) ? "Hall 5" : "Here"
      })
      for (const trip of others)
        assert.deepInclude(yield* read(trip), { pickup_address: "Hall 5", notes: "Side door" })
    })
  )

  it.effect("moves once for one Idempotency-Key, and by the sum of requests that come at once", () =>
    Effect.gen(function* () {
      const { change, newTrip, read, send } = yield* businessWithPolicy(yield* openServer(), "enforce")
      const trips = [yield* newTrip("08:00"), yield* newTrip("09:30"), yield* newTrip("11:00")]
      const body = { group_id, move_minutes: 10, force: true }
      const once = { "idempotency-key": "once" }
      yield* send("POST", "/dispatch/groups", body, once)
      yield* send("POST", "/dispatch/groups", body, once)
      assert.strictEqual((yield* read(trips[0] ?? 0))["trip_date"], at("08:10"))
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => change(body)),
        { concurrency: "unbounded" }
      )
      for (const { status, text } of answers) assert.strictEqual(status, 200, text)
      for (const [index, trip] of trips.entries())
        assert.strictEqual((yield* read(trip))["trip_date"], [at("09:00"), at("10:30"), at("12:00")][index])
    })
  )
})
