import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const path = "/dispatch/assignments"

/** A business with that policy, and trips and drivers by number. */
const dispatch = Effect.fnUntraced(function* (
  server: TestServer,
  clash_policy: "off" | "warn" | "enforce" = "enforce"
) {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy }))
  const trip = (at: string) =>
    Effect.map(it.trip({ trip_date: `2026-12-24T${at}:00Z` }), ({ trip_id }) => Number(trip_id))
  const driver = Effect.map(it.driver(), ({ driver_id }) => Number(driver_id))
  const car = Effect.map(it.car(), ({ car_id }) => Number(car_id))
  const batch = (entries: unknown) => it.send("POST", path, entries)
  const driversOf = (tripId: number) =>
    Effect.map(it.send("GET", `/trips/${tripId}`), (answer) => record(answer)["driver_ids"])
  const sql = yield* SqlClient.SqlClient
  const events = Effect.map(
    sql<{ trip: number; added: ReadonlyArray<number>; removed: ReadonlyArray<number> }>`
      SELECT (body::jsonb->'data'->>'trip_id')::int AS trip, body::jsonb->'data'->'added_driver_ids' AS added,
             body::jsonb->'data'->'removed_driver_ids' AS removed
      FROM events WHERE business_id = ${it.businessId} AND event_type = 'driver.assigned' ORDER BY trip, sequence`,
    (rows) => rows.map(({ added, removed, trip }) => [trip, added, removed])
  )
  return { ...it, trip, newDriver: driver, newCar: car, batch, driversOf, events, sql }
})

layer(Ports)("a batch of assignments", (it) => {
  it.effect("changes the drivers and the cars of its trips, and returns the new drivers' tokens", () =>
    Effect.gen(function* () {
      const { batch, driversOf, events, newCar, newDriver, send, trip } = yield* dispatch(yield* openServer())
      const [one, other] = [yield* trip("10:00"), yield* trip("11:00")]
      const [dan, eve, car] = [yield* newDriver, yield* newDriver, yield* newCar]
      const answer = yield* batch([
        { trip_id: one, driver_ids: [dan, dan], car_id: car },
        { trip_id: other, driver_ids: [dan, eve] }
      ])
      const [first, second] = records(answer)
      assert.lengthOf(records(answer), 2)
      assert.deepInclude(first?.["trip"], { trip_id: one, car_id: car, driver_ids: [dan] })
      const drivers = second?.["drivers"] as ReadonlyArray<{ driver_id: number; driver_token: string }>
      assert.deepStrictEqual(
        drivers.map(({ driver_id }) => driver_id),
        [dan, eve]
      )
      for (const { driver_token } of drivers) assert.match(driver_token, /^drv_/u)
      assert.deepStrictEqual(yield* events, [
        [one, [dan], []],
        [other, [dan, eve], []]
      ])
      record(yield* batch([{ trip_id: one, car_id: null }]))
      assert.deepStrictEqual(yield* driversOf(one), [dan])
      assert.deepInclude(record(yield* send("GET", `/trips/${one}`)), { car_id: null })
      assert.lengthOf(yield* events, 2)
    })
  )

  it.effect("lets two drivers exchange trips, with one event for each trip", () =>
    Effect.gen(function* () {
      const { batch, driversOf, events, newDriver, trip } = yield* dispatch(yield* openServer())
      const [one, other] = [yield* trip("10:00"), yield* trip("10:30")]
      const [dan, eve] = [yield* newDriver, yield* newDriver]
      record(
        yield* batch([
          { trip_id: one, driver_ids: [dan] },
          { trip_id: other, driver_ids: [eve] }
        ])
      )
      const swapped = yield* batch([
        { trip_id: one, driver_ids: [eve] },
        { trip_id: other, driver_ids: [dan] }
      ])
      for (const { warnings } of records(swapped)) assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual([yield* driversOf(one), yield* driversOf(other)], [[eve], [dan]])
      assert.deepStrictEqual(yield* events, [
        [one, [dan], []],
        [one, [eve], [dan]],
        [other, [eve], []],
        [other, [dan], [eve]]
      ])
    })
  )

  it.effect("changes nothing if one entry clashes, and names that entry; `force` confirms it", () =>
    Effect.gen(function* () {
      const { batch, driversOf, events, newDriver, trip } = yield* dispatch(yield* openServer())
      const [one, other, third] = [yield* trip("10:00"), yield* trip("10:30"), yield* trip("15:00")]
      const [dan, eve] = [yield* newDriver, yield* newDriver]
      record(yield* batch([{ trip_id: one, driver_ids: [dan] }]))
      const before = yield* events
      const entries = [
        { trip_id: third, driver_ids: [eve] },
        { trip_id: other, driver_ids: [dan] }
      ]
      const clash = { type: "schedule_clash", driver_id: dan, trip_id: one }
      assert.deepStrictEqual(refusedAs(yield* batch(entries), 409, "confirmation_required"), [
        { field: "1.trip_id", ...clash }
      ])
      assert.deepStrictEqual([yield* driversOf(third), yield* events], [[], before])
      const forced = records(yield* batch(entries.map((entry) => ({ ...entry, force: true }))))
      assert.deepStrictEqual(forced[1]?.["warnings"], [clash])
      assert.deepStrictEqual(yield* driversOf(other), [dan])
    })
  )

  it.effect("refuses two overlapping trips for one driver or one car in the same batch", () =>
    Effect.gen(function* () {
      const { batch, driversOf, newCar, newDriver, trip } = yield* dispatch(yield* openServer())
      const [one, other] = [yield* trip("10:00"), yield* trip("10:30")]
      const [dan, car] = [yield* newDriver, yield* newCar]
      for (const change of [{ driver_ids: [dan] }, { car_id: car }]) {
        const details = refusedAs(
          yield* batch([
            { trip_id: one, ...change },
            { trip_id: other, ...change }
          ]),
          409,
          "confirmation_required"
        )
        assert.deepStrictEqual(
          details?.map(({ field }) => field),
          ["0.trip_id", "1.trip_id"]
        )
      }
      assert.deepStrictEqual([yield* driversOf(one), yield* driversOf(other)], [[], []])
    })
  )

  it.effect("names every wrong field by its entry, and writes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { batch, driversOf, events, newDriver, send, trip } = yield* dispatch(server)
      const other = yield* dispatch(server)
      const [theirTrip, theirDriver, theirCar] = [
        yield* other.trip("10:00"),
        yield* other.newDriver,
        yield* other.newCar
      ]
      const [one, second, ended] = [yield* trip("10:00"), yield* trip("12:00"), yield* trip("14:00")]
      const dan = yield* newDriver
      record(yield* send("PATCH", `/trips/${ended}`, { status: "cancelled", cancel_reason: "operator" }))
      const refused = (entries: unknown) =>
        Effect.map(batch(entries), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(
        yield* refused([
          { trip_id: one, driver_ids: [dan, theirDriver] },
          { trip_id: theirTrip, driver_ids: [dan] },
          { trip_id: second, car_id: theirCar },
          { trip_id: ended, driver_ids: [dan] },
          { trip_id: 999_999_999, driver_ids: [dan] }
        ]),
        wrong({
          "0.driver_ids.1": "not_found",
          "1.trip_id": "not_found",
          "2.car_id": "not_found",
          "3.trip_id": "illegal_transition",
          "4.trip_id": "not_found"
        })
      )
      assert.deepStrictEqual(
        yield* refused([
          { trip_id: one, driver_ids: [dan] },
          { trip_id: one, driver_ids: [] },
          { trip_id: second }
        ]),
        wrong({ "1.trip_id": "invalid", "2.driver_ids": "required" })
      )
      assert.deepStrictEqual(
        yield* refused([{ driver_ids: ["x"] }, { trip_id: 0, driver_ids: [dan], car_id: "x", force: "yes" }]),
        wrong({
          "0.trip_id": "required",
          "0.driver_ids.0": "invalid",
          "1.trip_id": "out_of_range",
          "1.car_id": "invalid",
          "1.force": "invalid"
        })
      )
      for (const body of [
        [],
        {},
        "x",
        null,
        Array.from({ length: 201 }, () => ({ trip_id: one, driver_ids: [] }))
      ])
        assert.include([400, 422], (yield* batch(body)).status, JSON.stringify(body)?.slice(0, 20))
      assert.deepStrictEqual([yield* driversOf(one), yield* driversOf(second), yield* events], [[], [], []])
      assert.deepStrictEqual(yield* other.driversOf(theirTrip), [])
    })
  )

  it.effect("a request with an Idempotency-Key is carried out once", () =>
    Effect.gen(function* () {
      const { events, newDriver, send, trip } = yield* dispatch(yield* openServer())
      const [one, dan] = [yield* trip("10:00"), yield* newDriver]
      const body = [{ trip_id: one, driver_ids: [dan] }]
      const ask = Effect.map(send("POST", path, body, { "idempotency-key": "once" }), records)
      assert.deepStrictEqual(yield* ask, yield* ask)
      assert.lengthOf(yield* events, 1)
    })
  )

  it.effect(
    "concurrent batches and single assignments neither overlap under `enforce` nor deadlock",
    () =>
      Effect.gen(function* () {
        const servers = [yield* openServer(), yield* openServer()] as const
        const { batch, businessId, key, newCar, newDriver, send, sql, trip } = yield* dispatch(servers[0])
        const trips = yield* Effect.all(Array.from({ length: 6 }, (_, at) => trip(`10:${at}0`)))
        const drivers = yield* Effect.all(Array.from({ length: 3 }, () => newDriver))
        const cars = [yield* newCar, yield* newCar]
        const other = (entries: unknown) => servers[1].send("POST", path, { credential: key, body: entries })
        for (let round = 0; round < 6; round++) {
          const turned = (by: number) => [...trips.slice(by), ...trips.slice(0, by)]
          const entries = (by: number) =>
            turned(by)
              .slice(0, 3)
              .map((trip_id, at) => ({
                trip_id,
                driver_ids: [drivers[(at + by) % 3]],
                car_id: at === 0 ? cars[by % 2] : null
              }))
          const answers = yield* Effect.all(
            [
              ...[0, 1, 2, 3].map((by) => batch(entries(by + round))),
              ...[5, 4, 3, 2].map((by) => other(entries(by + round).toReversed())),
              ...trips.map((id, at) =>
                send("POST", `/trips/${id}/drivers`, { driver_ids: [drivers[at % 3]] })
              )
            ],
            { concurrency: "unbounded" }
          )
          for (const { status, text } of answers) assert.include([200, 409], status, text)
          const overlaps = yield* sql`
          SELECT a.driver_id FROM assignments a JOIN assignments b
            ON b.business_id = a.business_id AND b.driver_id = a.driver_id AND b.assignment_id > a.assignment_id
            AND a.trip_date < b.trip_ends_at AND b.trip_date < a.trip_ends_at
          WHERE a.business_id = ${businessId} AND a.status = 'assigned' AND b.status = 'assigned'`
          assert.lengthOf(overlaps, 0)
          const shared = yield* sql`
          SELECT a.car_id FROM trips a JOIN trips b
            ON b.business_id = a.business_id AND b.car_id = a.car_id AND b.trip_id > a.trip_id
          WHERE a.business_id = ${businessId}`
          assert.lengthOf(shared, 0)
          records(yield* batch(trips.map((trip_id) => ({ trip_id, driver_ids: [], car_id: null }))))
        }
      }),
    60_000
  )
})
