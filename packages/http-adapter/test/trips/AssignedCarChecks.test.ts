import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { dispatch } from "./Dispatch.ts"

layer(Ports)("a car per assignment", (it) => {
  it.effect("clashes like a trip's car: a warning, or under `enforce` a confirmation", () =>
    Effect.gen(function* () {
      for (const policy of ["warn", "enforce", "off"] as const) {
        const { assign, carsOf, newCar, newDriver, newTrip, send } = yield* dispatch(
          yield* openServer(),
          policy
        )
        const car = yield* newCar()
        const [dan, eve, fay] = [yield* newDriver(), yield* newDriver(), yield* newDriver(car)]
        const [one, other, third, own] = [
          yield* newTrip("10:00"),
          yield* newTrip("10:30"),
          yield* newTrip("10:40"),
          yield* newTrip("20:00")
        ]
        record(yield* assign(one, [{ driver_id: dan, car_id: car }]))
        const clash = { type: "car_clash", car_id: car, trip_id: one }
        const asked = [
          () => assign(other, [{ driver_id: eve, car_id: car }]),
          () => send("POST", `/trips/${third}/drivers`, { driver_ids: [fay] }),
          () => send("PATCH", `/trips/${own}`, { car_id: car, trip_date: "2026-12-24T10:10:00Z" })
        ]
        for (const ask of asked) {
          const answer = yield* ask()
          if (policy === "enforce")
            assert.deepInclude(refusedAs(answer, 409, "confirmation_required") ?? [], clash)
          else
            assert.strictEqual(
              (record(answer)["warnings"] as ReadonlyArray<object>).some(
                (one) => JSON.stringify(one) === JSON.stringify(clash)
              ),
              policy === "warn"
            )
        }
        if (policy !== "enforce") continue
        assert.deepStrictEqual(yield* carsOf(other), [])
        record(yield* assign(other, [{ driver_id: eve, car_id: car }], { force: true }))
        assert.deepStrictEqual(yield* carsOf(other), [car])
        const moved = yield* send("PATCH", `/trips/${other}`, { trip_date: "2026-12-24T10:05:00Z" })
        assert.deepInclude(refusedAs(moved, 409, "confirmation_required") ?? [], clash)
      }
    })
  )

  it.effect("is compared with the passengers and the class of the order, on the board too", () =>
    Effect.gen(function* () {
      const { assign, newCar, newDriver, newTrip, send } = yield* dispatch(yield* openServer())
      const [small, van, second] = [
        yield* newCar({ seats: 3, vehicle_class: "sedan" }),
        yield* newCar({ seats: 8, vehicle_class: "van" }),
        yield* newCar({ seats: 3, vehicle_class: "van" })
      ]
      const [dan, eve] = [yield* newDriver(), yield* newDriver()]
      const one = yield* newTrip("10:00", { participants_count: 6, vehicle_class: "van" })
      const warningsOf = (assignments: unknown) =>
        Effect.gen(function* () {
          const { warnings } = record(yield* assign(one, assignments))
          const board = records(yield* send("GET", "/dispatch/trips?date=2026-12-24"))
          const listed = board.find(({ trip_id }) => trip_id === one)?.["warnings"]
          assert.sameDeepMembers(
            [...(listed as ReadonlyArray<object>)],
            [...(warnings as ReadonlyArray<object>)]
          )
          return warnings
        })
      const fewSeats = (car_id: number) => ({ type: "too_few_seats", car_id })
      assert.deepStrictEqual(yield* warningsOf([{ driver_id: dan, car_id: small }]), [
        fewSeats(small),
        { type: "other_vehicle_class", car_id: small }
      ])
      assert.deepStrictEqual(
        yield* warningsOf([
          { driver_id: dan, car_id: small },
          { driver_id: eve, car_id: second }
        ]),
        [{ type: "other_vehicle_class", car_id: small }]
      )
      assert.deepStrictEqual(yield* warningsOf([{ driver_id: dan, car_id: van }]), [])
      assert.deepStrictEqual(yield* warningsOf([{ driver_id: eve, car_id: second }]), [fewSeats(second)])
    })
  )

  it.effect("is refused with every wrong field named, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { assign, carsOf, eventsOf, newCar, newDriver, newTrip, send } = yield* dispatch(server)
      const other = yield* dispatch(server)
      const [theirCar, theirDriver, theirTrip] = [
        yield* other.newCar(),
        yield* other.newDriver(),
        yield* other.newTrip("10:00")
      ]
      const [car, idle] = [yield* newCar(), yield* newCar({ active: false })]
      const [dan, eve] = [yield* newDriver(), yield* newDriver()]
      const one = yield* newTrip("10:00")
      const refused = (body: object) =>
        Effect.map(send("POST", `/trips/${one}/drivers`, body), (answer) =>
          refusedAs(answer, 422, "invalid_request")
        )
      const entry = (driver_id: unknown, car_id: unknown = car) => ({ driver_id, car_id })
      const cases: ReadonlyArray<readonly [object, Readonly<Record<string, string>>]> = [
        [{}, { driver_ids: "required" }],
        [{ force: true }, { driver_ids: "required" }],
        [{ assignments: null }, { assignments: "required" }],
        [{ assignments: {} }, { assignments: "invalid" }],
        [{ assignments: [1, {}] }, { "assignments.0": "invalid", "assignments.1.driver_id": "required" }],
        [
          { assignments: [entry("x", "y"), entry(0, 1.5)] },
          {
            "assignments.0.driver_id": "invalid",
            "assignments.0.car_id": "invalid",
            "assignments.1.driver_id": "out_of_range",
            "assignments.1.car_id": "invalid"
          }
        ],
        [{ assignments: Array.from({ length: 21 }, (_, at) => entry(at + 1)) }, { assignments: "too_long" }],
        [{ assignments: [entry(dan)], driver_ids: [eve] }, { assignments: "invalid" }],
        [{ assignments: [entry(dan)], driver_ids: [dan, eve] }, { assignments: "invalid" }],
        [{ assignments: [entry(dan), entry(dan)] }, { "assignments.1.driver_id": "invalid" }],
        [
          { assignments: [entry(theirDriver), entry(dan, theirCar), entry(eve, idle)] },
          {
            "assignments.0.driver_id": "not_found",
            "assignments.1.car_id": "not_found",
            "assignments.2.car_id": "not_found"
          }
        ]
      ]
      for (const [body, fields] of cases)
        assert.deepStrictEqual(yield* refused(body), wrong(fields), JSON.stringify(body).slice(0, 60))
      assert.deepStrictEqual([yield* carsOf(one), yield* eventsOf(one)], [[], []])
      assert.strictEqual((yield* assign(theirTrip, [entry(dan)])).status, 404)
      assert.deepStrictEqual(yield* other.carsOf(theirTrip), [])
      record(yield* assign(one, [entry(dan), entry(eve)]))
      record(yield* send("PATCH", `/trips/${one}/driver-status`, { driver_id: eve, status: "completed" }))
      const another = yield* newCar()
      assert.deepStrictEqual(
        yield* refused({ assignments: [entry(dan), entry(eve, another)] }),
        wrong({ "assignments.1.car_id": "invalid" })
      )
    })
  )

  it.effect("is exchanged in one batch, whose result is checked", () =>
    Effect.gen(function* () {
      const { carsOf, newCar, newDriver, newTrip, send } = yield* dispatch(yield* openServer(), "enforce")
      const [black, white] = [yield* newCar(), yield* newCar()]
      const [dan, eve] = [yield* newDriver(), yield* newDriver(white)]
      const [one, other] = [yield* newTrip("10:00"), yield* newTrip("10:30")]
      const batch = (entries: unknown) => send("POST", "/dispatch/assignments", entries)
      records(
        yield* batch([
          { trip_id: one, assignments: [{ driver_id: dan, car_id: black }] },
          { trip_id: other, driver_ids: [eve] }
        ])
      )
      assert.deepStrictEqual([yield* carsOf(one), yield* carsOf(other)], [[black], [white]])
      const shared = yield* batch([{ trip_id: other, assignments: [{ driver_id: eve, car_id: black }] }])
      assert.deepStrictEqual(refusedAs(shared, 409, "confirmation_required"), [
        { field: "0.trip_id", type: "car_clash", car_id: black, trip_id: one }
      ])
      const swapped = yield* batch([
        { trip_id: one, assignments: [{ driver_id: dan, car_id: white }] },
        { trip_id: other, assignments: [{ driver_id: eve, car_id: black }] }
      ])
      for (const { warnings } of records(swapped)) assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual([yield* carsOf(one), yield* carsOf(other)], [[white], [black]])
      assert.deepStrictEqual(
        refusedAs(
          yield* batch([
            { trip_id: one, assignments: [{ driver_id: dan, car_id: 999_999_999 }] },
            { trip_id: other, assignments: [{ driver_id: eve }, { driver_id: eve }], driver_ids: [eve] }
          ]),
          422,
          "invalid_request"
        ),
        wrong({ "1.assignments.1.driver_id": "invalid" })
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* batch([
            { trip_id: one, assignments: [{ driver_id: dan, car_id: 999_999_999 }] },
            { trip_id: other, assignments: [{ driver_id: 999_999_999 }] }
          ]),
          422,
          "invalid_request"
        ),
        wrong({ "0.assignments.0.car_id": "not_found", "1.assignments.0.driver_id": "not_found" })
      )
    })
  )
})
