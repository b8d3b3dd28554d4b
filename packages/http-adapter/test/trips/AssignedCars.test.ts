import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { dispatch } from "./Dispatch.ts"

layer(Ports)("a car per assignment", (it) => {
  it.effect("is shown in the answer, the trip's record, the timeline and `driver.assigned`", () =>
    Effect.gen(function* () {
      const { assign, eventsOf, newCar, newDriver, newTrip, send, trip } = yield* dispatch(
        yield* openServer()
      )
      const [black, white] = [yield* newCar(), yield* newCar()]
      const [dan, eve] = [yield* newDriver(), yield* newDriver()]
      const one = yield* newTrip("10:00", { car_id: black })
      const answer = record(
        yield* assign(one, [{ driver_id: dan }, { driver_id: eve, car_id: white }], {
          driver_ids: [eve, dan]
        })
      )
      const cars = (list: unknown) =>
        (list as ReadonlyArray<{ driver_id: number; car_id: number }>).map(({ car_id, driver_id }) => [
          driver_id,
          car_id
        ])
      const expected = [
        [dan, null],
        [eve, white]
      ]
      assert.deepStrictEqual(cars(answer["drivers"]), expected)
      assert.deepStrictEqual(cars((answer["trip"] as { drivers: unknown }).drivers), expected)
      assert.deepStrictEqual(cars((yield* trip(one))["drivers"]), expected)
      const [assigned] = yield* eventsOf(one)
      assert.deepInclude(assigned?.data, {
        driver_ids: [dan, eve],
        assignments: [
          { driver_id: dan, car_id: null },
          { driver_id: eve, car_id: white }
        ]
      })
      const changes = records(yield* send("GET", `/trips/${one}/timeline`))
      assert.deepStrictEqual(
        changes.filter(({ change }) => change === "driver_assigned").map(({ after }) => after),
        [{ status: "assigned" }, { status: "assigned", car_id: white }]
      )
    })
  )

  it.effect("changes by itself with `trip.updated`; an absent `car_id` keeps it, `null` removes it", () =>
    Effect.gen(function* () {
      const { assign, carsOf, eventsOf, newCar, newDriver, newTrip, send } = yield* dispatch(
        yield* openServer()
      )
      const [black, white] = [yield* newCar(), yield* newCar()]
      const dan = yield* newDriver()
      const one = yield* newTrip("10:00", { car_id: black })
      record(yield* assign(one, [{ driver_id: dan, car_id: white }]))
      record(yield* assign(one, [{ driver_id: dan }]))
      record(yield* send("POST", `/trips/${one}/drivers`, { driver_ids: [dan] }))
      assert.deepStrictEqual(yield* carsOf(one), [white])
      assert.lengthOf(yield* eventsOf(one), 1)
      record(yield* assign(one, [{ driver_id: dan, car_id: null }]))
      assert.deepStrictEqual(yield* carsOf(one), [null])
      const events = yield* eventsOf(one)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["driver.assigned", "trip.updated"]
      )
      const changes = records(yield* send("GET", `/trips/${one}/timeline`))
      assert.deepInclude(
        changes.find(({ change }) => change === "driver_car_changed"),
        { driver_id: dan, before: { car_id: white }, after: { car_id: null } }
      )
    })
  )

  it.effect("is the driver's default car if neither the trip nor the entry has one", () =>
    Effect.gen(function* () {
      const { assign, carsOf, newCar, newDriver, newTrip, send } = yield* dispatch(yield* openServer())
      const [black, white, idle] = [yield* newCar(), yield* newCar(), yield* newCar()]
      const [dan, eve] = [yield* newDriver(black), yield* newDriver(idle)]
      record(yield* send("PATCH", `/cars/${idle}`, { active: false }))
      const [without, withCar, named] = [
        yield* newTrip("10:00"),
        yield* newTrip("12:00", { car_id: white }),
        yield* newTrip("14:00")
      ]
      record(yield* send("POST", `/trips/${without}/drivers`, { driver_ids: [dan, eve] }))
      record(yield* assign(withCar, [{ driver_id: dan }]))
      record(yield* assign(named, [{ driver_id: dan, car_id: white }]))
      assert.deepStrictEqual(
        [yield* carsOf(without), yield* carsOf(withCar), yield* carsOf(named)],
        [[black, null], [null], [white]]
      )
      record(yield* send("PATCH", `/trips/${without}`, { car_id: white }))
      record(yield* send("PATCH", `/trips/${named}`, { car_id: black }))
      assert.deepStrictEqual([yield* carsOf(without), yield* carsOf(named)], [[null, null], [white]])
      const copy = record(yield* send("POST", `/trips/${named}/duplicate`, {}))
      assert.deepInclude(copy, { car_id: black, drivers: [] })
    })
  )

  it.effect("is seen by its driver alone, and on the board", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { assign, newCar, newDriver, newTrip, send } = yield* dispatch(server)
      const [black, white] = [
        yield* newCar({ plate_number: "ZH 1" }),
        yield* newCar({ plate_number: "ZH 2" })
      ]
      const [dan, eve] = [yield* newDriver(), yield* newDriver()]
      const one = yield* newTrip("10:00", { car_id: black })
      const { drivers } = record(yield* assign(one, [{ driver_id: dan }, { driver_id: eve, car_id: white }]))
      const plates = yield* Effect.forEach(
        drivers as ReadonlyArray<{ driver_token: string }>,
        ({ driver_token }) =>
          Effect.map(server.send("GET", `/driver/trip?token=${driver_token}`), (answer) => {
            assert.notProperty(record(answer), "drivers")
            return (record(answer)["car"] as { plate_number: string }).plate_number
          })
      )
      assert.deepStrictEqual(plates, ["ZH 1", "ZH 2"])
      const [job] = records(yield* send("GET", "/dispatch/trips?date=2026-12-24"))
      assert.deepStrictEqual(
        (job?.["drivers"] as ReadonlyArray<{ car: { plate_number: string } | null }> | undefined)?.map(
          ({ car }) => car?.plate_number
        ),
        [undefined, "ZH 2"]
      )
      const free = yield* send("GET", "/drivers/free?from=2026-12-24T10:00:00Z&to=2026-12-24T11:00:00Z")
      assert.lengthOf(records(free), 0)
    })
  )

  it.effect("loses its car when the car is deleted, which asks for a confirmation", () =>
    Effect.gen(function* () {
      const { assign, carsOf, eventsOf, newCar, newDriver, newTrip, send } = yield* dispatch(
        yield* openServer()
      )
      const [car, dan] = [yield* newCar(), yield* newDriver()]
      const [one, ended] = [yield* newTrip("10:00"), yield* newTrip("12:00")]
      for (const trip of [one, ended]) record(yield* assign(trip, [{ driver_id: dan, car_id: car }]))
      record(yield* send("PATCH", `/trips/${ended}`, { status: "completed" }))
      assert.deepInclude(
        refusedAs(yield* send("DELETE", `/cars/${car}`), 409, "confirmation_required")?.[0],
        {
          trip_id: one
        }
      )
      assert.strictEqual((yield* send("DELETE", `/cars/${car}`, { force: true })).status, 200)
      assert.deepStrictEqual([yield* carsOf(one), yield* carsOf(ended)], [[null], [car]])
      assert.deepStrictEqual(
        (yield* eventsOf(one)).map(({ type }) => type),
        ["driver.assigned", "trip.updated"]
      )
      assert.deepStrictEqual(
        refusedAs(yield* assign(one, [{ driver_id: dan, car_id: car }]), 422, "invalid_request"),
        wrong({ "assignments.0.car_id": "not_found" })
      )
    })
  )

  it.effect(
    "has no overlapping trips under `enforce`, and is no deleted car, also under concurrent requests",
    () =>
      Effect.gen(function* () {
        const servers = [yield* openServer(), yield* openServer()] as const
        const { assign, businessId, key, newCar, newDriver, newTrip, send, sql } = yield* dispatch(
          servers[0],
          "enforce"
        )
        const trips = yield* Effect.all(Array.from({ length: 6 }, (_, at) => newTrip(`10:${at}0`)))
        for (let round = 0; round < 4; round++) {
          const cars = [yield* newCar(), yield* newCar(), yield* newCar()]
          const drivers = yield* Effect.forEach(trips, (_, at) => newDriver(cars[at % 3] ?? null))
          const one = (at: number) => [{ driver_id: drivers[at] ?? 0, car_id: cars[at % 3] }]
          const answers = yield* Effect.all(
            [
              ...trips.map((trip, at) => assign(trip, one(at))),
              ...trips.map((trip, at) =>
                servers[1].send("POST", `/trips/${trip}/drivers`, {
                  credential: key,
                  body: { driver_ids: [drivers[5 - at]] }
                })
              ),
              ...[0, 3].map((from) =>
                servers[1].send("POST", "/dispatch/assignments", {
                  credential: key,
                  body: [0, 1, 2].map((at) => ({ trip_id: trips[from + at], assignments: one(at) }))
                })
              ),
              send("PATCH", `/trips/${trips[round]}`, { car_id: cars[0] }),
              send("DELETE", `/cars/${cars[1]}`, { force: true })
            ],
            { concurrency: "unbounded" }
          )
          for (const { fault, status, text } of answers)
            assert.include([200, 409, 422], status, fault ?? text)
          const used = sql`
            SELECT t.trip_id, t.car_id, t.trip_date AS starts, t.trip_date + interval '1 hour' AS ends FROM trips t
            WHERE t.business_id = ${businessId} AND t.car_id IS NOT NULL
            UNION
            SELECT a.trip_id, a.car_id, a.trip_date, a.trip_ends_at FROM assignments a
            WHERE a.business_id = ${businessId} AND a.car_id IS NOT NULL AND a.status = 'assigned'`
          assert.isEmpty(
            yield* sql`
              WITH used AS (${used})
              SELECT u.car_id FROM used u JOIN used v
                ON v.car_id = u.car_id AND v.trip_id > u.trip_id AND u.starts < v.ends AND v.starts < u.ends`
          )
          assert.isEmpty(
            yield* sql`
              WITH used AS (${used})
              SELECT FROM used u LEFT JOIN cars c ON c.business_id = ${businessId} AND c.car_id = u.car_id
              WHERE c.car_id IS NULL OR c.deleted_at IS NOT NULL`
          )
          const cleared = trips.map((trip_id) => ({ trip_id, driver_ids: [], car_id: null }))
          records(yield* send("POST", "/dispatch/assignments", cleared))
        }
      }),
    60_000
  )
})
