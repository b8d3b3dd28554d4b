import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { company } from "../support/Fleet.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const at = (time: string) => `2026-12-24T${time}:00Z`

/** A business with that policy and a car of four seats, and a function that books trips for passengers of different names. */
const businessWithPolicy = Effect.fnUntraced(function* (server: TestServer, policy = "warn") {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy: policy }))
  const { car_id } = yield* it.car({ seats: 4 })
  let booked = 0
  const sent = (change: object = {}) =>
    it.send("POST", "/trips", {
      trip_date: at("18:00"),
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: `Passenger ${(booked += 1)}`,
      ...change
    })
  const book = (change: object = {}) => Effect.map(sent(change), record)
  return { ...it, car_id, sent, book }
})

const carClash = (car_id: unknown, { trip_id }: Readonly<Record<string, unknown>>) => ({
  type: "car_clash",
  car_id,
  trip_id
})

layer(PortsInMemory)("warnings about a trip", (it) => {
  it.effect("name the car's other trips at that time when it is booked, changed, copied or assigned", () =>
    Effect.gen(function* () {
      const { book, car_id, driver, send } = yield* businessWithPolicy(yield* openServer())
      const first = yield* book({ car_id })
      assert.deepStrictEqual(first["warnings"], [])
      const second = yield* book({ car_id, trip_date: at("18:59") })
      assert.deepStrictEqual(second["warnings"], [carClash(car_id, first)])
      const third = yield* book({ trip_date: at("18:30") })
      const changed = record(yield* send("PATCH", `/trips/${String(third["trip_id"])}`, { car_id }))
      assert.deepStrictEqual(changed["warnings"], [carClash(car_id, first), carClash(car_id, second)])
      const copy = { customer_name: "Somebody else", trip_date: at("19:30") }
      const duplicate = record(yield* send("POST", `/trips/${String(first["trip_id"])}/duplicate`, copy))
      assert.deepStrictEqual(duplicate["warnings"], [carClash(car_id, second)])
      const { driver_id } = yield* driver()
      const path = `/trips/${String(first["trip_id"])}/drivers`
      assert.deepStrictEqual(record(yield* send("POST", path, { driver_ids: [driver_id] }))["warnings"], [
        carClash(car_id, second),
        carClash(car_id, third)
      ])
      record(yield* send("PATCH", "/settings/business", { clash_policy: "off" }))
      assert.deepStrictEqual((yield* book({ car_id }))["warnings"], [])
    })
  )

  it.effect("are on the board too, without another request", () =>
    Effect.gen(function* () {
      const { book, car, driver, send } = yield* businessWithPolicy(yield* openServer())
      record(yield* send("PATCH", "/settings/business", { turnaround_minutes: 30 }))
      const { car_id } = yield* car({ vehicle_class: "sedan" })
      const { driver_id } = yield* driver({ license_expires_on: "2026-12-01" })
      const trip = yield* book({ car_id, vehicle_class: "van" })
      const next = yield* book({ car_id, trip_date: at("19:20") })
      for (const { trip_id } of [trip, next])
        yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id], force: true })
      const away = { starts_at: at("18:30"), ends_at: at("19:10") }
      const added = record(yield* send("POST", `/drivers/${String(driver_id)}/absences`, away))
      const [absence] = added["absences"] as ReadonlyArray<{ readonly absence_id: number }>
      const board = records(yield* send("GET", "/dispatch/trips?date=2026-12-24"))
      const onBoard = board.find(({ trip_id }) => trip_id === trip["trip_id"])
      assert.deepStrictEqual(onBoard?.["warnings"], [
        { type: "driver_absent", driver_id, absence_id: absence?.absence_id },
        { type: "no_time_to_drive", driver_id, trip_id: next["trip_id"] },
        { type: "license_expired", driver_id },
        { type: "other_vehicle_class", car_id },
        { type: "no_time_to_drive", car_id, trip_id: next["trip_id"] }
      ])
    })
  )

  it.effect("name a car of another class than the one that was ordered", () =>
    Effect.gen(function* () {
      const { book, car, car_id: unknown, driver, send } = yield* businessWithPolicy(yield* openServer())
      const { car_id } = yield* car({ vehicle_class: "sedan" })
      const other = { type: "other_vehicle_class", car_id }
      const wanted = yield* book({ car_id, vehicle_class: "van" })
      assert.deepStrictEqual(wanted["warnings"], [other])
      const path = `/trips/${String(wanted["trip_id"])}`
      const patched = (change: object) => Effect.map(send("PATCH", path, change), record)
      const { driver_id } = yield* driver()
      const assigned = record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id] }))
      assert.deepStrictEqual(assigned["warnings"], [other])
      assert.deepStrictEqual((yield* patched({ vehicle_class: "sedan" }))["warnings"], [])
      assert.deepStrictEqual((yield* patched({ vehicle_class: "suv" }))["warnings"], [other])
      assert.deepStrictEqual((yield* patched({ car_id: unknown }))["warnings"], [])
      assert.deepStrictEqual((yield* book({ vehicle_class: "van", trip_date: at("08:00") }))["warnings"], [])
    })
  )

  it.effect("are 409 for a clash of the car when a driver is assigned under `enforce`", () =>
    Effect.gen(function* () {
      const { book, car_id, driver, send } = yield* businessWithPolicy(yield* openServer(), "enforce")
      const first = yield* book({ car_id })
      const second = yield* book({ car_id, force: true })
      const { driver_id } = yield* driver()
      const path = `/trips/${String(second["trip_id"])}`
      const assign = (body: object) => send("POST", `${path}/drivers`, body)
      const clash = carClash(car_id, first)
      const details = refusedAs(yield* assign({ driver_ids: [driver_id] }), 409, "confirmation_required")
      assert.deepStrictEqual(details, [clash])
      const entry = { trip_id: second["trip_id"], driver_ids: [driver_id] }
      refusedAs(yield* send("POST", "/dispatch/assignments", [entry]), 409, "confirmation_required")
      assert.deepStrictEqual(record(yield* send("GET", path))["driver_ids"], [])
      const forced = record(yield* assign({ driver_ids: [driver_id], force: true }))
      assert.deepStrictEqual(forced["warnings"], [clash])
      assert.deepStrictEqual(record(yield* assign({ driver_ids: [] }))["warnings"], [clash])
    })
  )

  it.effect("omit the car's trips that have ended, and those whose times only touch", () =>
    Effect.gen(function* () {
      const { book, car_id, send } = yield* businessWithPolicy(yield* openServer())
      const ended = yield* book({ car_id })
      record(yield* send("PATCH", `/trips/${String(ended["trip_id"])}`, { status: "cancelled" }))
      yield* book({ car_id, trip_date: at("17:00") })
      yield* book({ car_id, trip_date: at("19:00") })
      assert.deepStrictEqual((yield* book({ car_id }))["warnings"], [])
    })
  )

  it.effect("are 409 for a car's clash under `enforce` until it is confirmed, and nothing is written", () =>
    Effect.gen(function* () {
      const {
        book,
        businessId: _id,
        car_id,
        send,
        sent
      } = yield* businessWithPolicy(yield* openServer(), "enforce")
      const first = yield* book({ car_id })
      const clash = carClash(car_id, first)
      const refusal = refusedAs(yield* sent({ car_id }), 409, "confirmation_required")
      assert.deepStrictEqual<unknown>(refusal, [clash])
      const other = yield* book()
      const path = `/trips/${String(other["trip_id"])}`
      assert.deepStrictEqual<unknown>(
        refusedAs(yield* send("PATCH", path, { car_id }), 409, "confirmation_required"),
        [clash]
      )
      const duplicate = `/trips/${String(first["trip_id"])}/duplicate`
      refusedAs(yield* send("POST", duplicate, { customer_name: "X" }), 409, "confirmation_required")
      assert.strictEqual(record(yield* send("GET", path))["car_id"], null)
      assert.deepStrictEqual((yield* book({ car_id, force: true }))["warnings"], [clash])
      const forced = record(yield* send("PATCH", path, { car_id, force: true }))
      assert.deepInclude(forced["warnings"], clash)
      record(yield* send("POST", duplicate, { customer_name: "X", force: true }))
      assert.deepStrictEqual((yield* book({ car_id, trip_date: at("19:00") }))["warnings"], [])
    })
  )

  it.effect(
    "name a car with fewer seats than passengers, and a driver whose licence has expired by then",
    () =>
      Effect.gen(function* () {
        const { book, car_id, driver, send } = yield* businessWithPolicy(yield* openServer())
        const tooFew = { type: "too_few_seats", car_id }
        const trip = yield* book({ car_id, participants_count: 5 })
        assert.deepStrictEqual(trip["warnings"], [tooFew])
        const path = `/trips/${String(trip["trip_id"])}`
        assert.deepStrictEqual(record(yield* send("PATCH", path, { participants_count: 4 }))["warnings"], [])
        assert.deepStrictEqual(record(yield* send("PATCH", path, { participants_count: 6 }))["warnings"], [
          tooFew
        ])
        const expired = yield* driver({ license_expires_on: "2026-12-23" })
        const valid = yield* driver({ license_expires_on: "2026-12-24" })
        const driver_ids = [expired["driver_id"], valid["driver_id"]]
        assert.deepStrictEqual(record(yield* send("POST", `${path}/drivers`, { driver_ids }))["warnings"], [
          { type: "license_expired", driver_id: expired["driver_id"] },
          tooFew
        ])
        const later = record(yield* send("PATCH", path, { trip_date: "2026-12-25T18:00:00Z" }))
        assert.deepStrictEqual(later["warnings"], [
          { type: "license_expired", driver_id: expired["driver_id"] },
          { type: "license_expired", driver_id: valid["driver_id"] }
        ])
      })
  )

  it.effect("name a trip at the same time and address for the same passenger", () =>
    Effect.gen(function* () {
      const { book, send } = yield* businessWithPolicy(yield* openServer())
      const first = yield* book({ customer_name: "Ada" })
      const duplicate = { type: "likely_duplicate", trip_id: first["trip_id"] }
      assert.deepStrictEqual((yield* book({ customer_name: "ada", pickup_address: "here" }))["warnings"], [
        duplicate
      ])
      for (const other of [{ trip_date: at("18:01") }, { pickup_address: "There" }, { customer_name: "Bea" }])
        assert.deepStrictEqual((yield* book({ customer_name: "Ada", ...other }))["warnings"], [])
      record(yield* send("PATCH", `/trips/${String(first["trip_id"])}`, { status: "cancelled" }))
      const again = yield* book({ customer_name: "Ada", pickup_address: "Here " })
      assert.notDeepInclude(again["warnings"], duplicate)
    })
  )

  it.effect("are 409 for too little time to drive if `enforce` covers it, until it is confirmed", () =>
    Effect.gen(function* () {
      const { book, car_id, driver, send, sent } = yield* businessWithPolicy(yield* openServer(), "enforce")
      const settings = (change: object) => Effect.map(send("PATCH", "/settings/business", change), record)
      yield* settings({ turnaround_minutes: 30 })
      const zurich = { pickup_lat: 47.3769, pickup_lng: 8.5417 }
      const geneva = { dropoff_lat: 46.2044, dropoff_lng: 6.1432 }
      const first = yield* book({ car_id, ...geneva })
      const late = (about: object) => ({ type: "no_time_to_drive", ...about, trip_id: first["trip_id"] })
      const tight = { car_id, trip_date: at("19:10") }
      assert.deepStrictEqual((yield* book({ ...tight, trip_date: at("16:50") }))["warnings"], [
        late({ car_id })
      ])
      yield* settings({ drive_time_enforced: true })
      const refused = (answer: Effect.Success<ReturnType<typeof sent>>) =>
        refusedAs(answer, 409, "confirmation_required")
      assert.deepStrictEqual(refused(yield* sent(tight)), [late({ car_id })])
      const second = yield* book({ trip_date: at("22:30") })
      const path = `/trips/${String(second["trip_id"])}`
      const { driver_id } = yield* driver()
      const staff = { driver_ids: [driver_id], force: true }
      for (const trip of [first, second])
        record(yield* send("POST", `/trips/${String(trip["trip_id"])}/drivers`, staff))
      assert.deepStrictEqual(refused(yield* send("PATCH", path, { trip_date: at("19:20") })), [
        late({ driver_id })
      ])
      // 224 km as the crow flies, times 1.3 at 50 km/h: nearly six hours.
      assert.deepStrictEqual(refused(yield* send("PATCH", path, zurich)), [late({ driver_id })])
      assert.deepStrictEqual(record(yield* send("PATCH", path, { ...zurich, force: true }))["warnings"], [
        late({ driver_id })
      ])
      yield* settings({ clash_policy: "warn" })
      assert.isNotEmpty((yield* book(tight))["warnings"])
    })
  )

  it.effect(
    "name a trip that leaves no time for the turnaround, and for the drive if both places are known",
    () =>
      Effect.gen(function* () {
        const { book, car_id, driver, send } = yield* businessWithPolicy(yield* openServer())
        const zurich = { lat: 47.3769, lng: 8.5417 }
        const geneva = { lat: 46.2044, lng: 6.1432 }
        const first = yield* book({ car_id, dropoff_lat: geneva.lat, dropoff_lng: geneva.lng })
        const none = { type: "no_time_to_drive", car_id, trip_id: first["trip_id"] }
        // 224 km as the crow flies, times 1.3 at 50 km/h: nearly six hours.
        const from = { car_id, pickup_lat: zurich.lat, pickup_lng: zurich.lng }
        const next = yield* book({ ...from, trip_date: at("23:59") })
        assert.deepStrictEqual(next["warnings"], [none])
        record(
          yield* send("PATCH", `/trips/${String(next["trip_id"])}`, { trip_date: "2026-12-25T02:00:00Z" })
        )
        assert.deepStrictEqual((yield* book({ car_id, trip_date: at("19:00") }))["warnings"], [])
        assert.strictEqual(record(yield* send("GET", "/settings/business"))["turnaround_minutes"], 0)
        record(yield* send("PATCH", "/settings/business", { turnaround_minutes: 30 }))
        const tight = yield* book({ car_id, trip_date: at("16:31") })
        assert.deepStrictEqual(tight["warnings"], [none])
        assert.deepStrictEqual((yield* book({ car_id, trip_date: at("15:00") }))["warnings"], [])
        const { driver_id } = yield* driver()
        const ride = [yield* book({ trip_date: at("08:00") }), yield* book({ trip_date: at("09:29") })]
        const assigned: Array<unknown> = []
        for (const { trip_id } of ride)
          assigned.push(
            record(yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] }))[
              "warnings"
            ]
          )
        assert.deepStrictEqual(assigned, [
          [],
          [{ type: "no_time_to_drive", driver_id, trip_id: ride[0]?.["trip_id"] }]
        ])
        refusedAs(
          yield* send("PATCH", "/settings/business", { turnaround_minutes: 1441 }),
          422,
          "invalid_request"
        )
      })
  )
})
