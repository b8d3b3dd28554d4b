/** The contract of `FreeDriverRepository`. */
import {
  AbsenceRepository,
  DriverRepository,
  FreeDriverRepository,
  type FreeDriversSearch,
  placesKnownSince,
  windowOf
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, newBusiness, newCar, newDriver, newTrip, now, setStatus, wholeList } from "./Given.ts"

const search = (change: Partial<FreeDriversSearch> = {}): FreeDriversSearch => ({
  window: { starts: at("12:00:00"), ends: at("13:00:00") },
  vehicleClass: null,
  near: null,
  ...change
})

export const freeDriverRepository = contract("a search for free drivers", (it) => {
  it.effect("leaves out drivers who have a trip or are away, inactive or deleted", () =>
    Effect.gen(function* () {
      const free = yield* FreeDriverRepository
      const absences = yield* AbsenceRepository
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const driver = (name: string, active = true) => newDriver(business, { name, active })
      const [adi, bea, cid, dan, eve] = [
        yield* driver("Adi"),
        yield* driver("Bea"),
        yield* driver("Cid"),
        yield* driver("Dan"),
        yield* driver("Eve")
      ]
      yield* driver("Fay", false)
      const gone = yield* driver("Gus")
      yield* drivers.remove(business, gone, now)
      yield* newDriver(yield* newBusiness)
      const touching = yield* newTrip(business, { trip_date: at("11:00:00") })
      yield* assign(touching, adi)
      yield* assign(yield* newTrip(business, { trip_date: at("12:59:59") }), bea)
      yield* assign(yield* newTrip(business, { trip_date: at("12:00:00") }), cid, "cancelled")
      const away = { kind: "sick", note: null } as const
      yield* absences.insert(business, dan, away, [{ starts: at("12:59:00"), ends: at("18:00:00") }], now)
      yield* absences.insert(business, eve, away, [{ starts: at("13:00:00"), ends: at("18:00:00") }], now)
      const found = yield* free.list(business, search(), wholeList)
      assert.deepStrictEqual(
        found.items.map(({ driver_id, name }) => [driver_id, name]),
        [
          [adi, "Adi"],
          [cid, "Cid"],
          [eve, "Eve"]
        ]
      )
      assert.strictEqual(found.total, 3)
      const second = yield* free.list(business, search(), { page: 2, perPage: 2 })
      assert.deepStrictEqual(
        [second.items.map(({ name }) => name), second.hasMore, second.total],
        [["Eve"], false, 3]
      )
    })
  )

  it.effect("shows a default car as taken while another driver's assignment has it", () =>
    Effect.gen(function* () {
      const free = yield* FreeDriverRepository
      const business = yield* newBusiness
      const van = yield* newCar(business)
      const [dan, eve] = [
        yield* newDriver(business, { name: "Dan", default_car_id: van }),
        yield* newDriver(business, { name: "Eve" })
      ]
      yield* assign(yield* newTrip(business, { trip_date: at("10:00:00") }), eve, "assigned", van)
      const isVanFree = Effect.map(free.list(business, search(), wholeList), ({ items }) => {
        const driver = items.find(({ driver_id }) => driver_id === dan)
        return driver?.car?.free
      })
      assert.isTrue(yield* isVanFree)
      const trip = yield* newTrip(business, { trip_date: at("12:30:00") })
      const { assignment_id } = yield* assign(trip, eve, "assigned", van)
      assert.isFalse(yield* isVanFree)
      yield* setStatus(business, assignment_id, "cancelled")
      assert.isTrue(yield* isVanFree)
    })
  )

  it.effect("has the jobs before and after, and the default car", () =>
    Effect.gen(function* () {
      const free = yield* FreeDriverRepository
      const business = yield* newBusiness
      const van = yield* newCar(business, { vehicle_class: "van", seats: 8 })
      const idle = yield* newCar(business, { active: false })
      const dan = yield* newDriver(business, { name: "Dan", phone: "1", default_car_id: van })
      const eve = yield* newDriver(business, { name: "Eve", default_car_id: idle })
      const job = (trip_date: DateTime.Utc, change = {}) => newTrip(business, { trip_date, ...change })
      const [earlier, before, after, later] = [
        yield* job(at("08:00:00")),
        yield* job(at("10:00:00"), { dropoff_lat: 47.4, dropoff_lng: 8.5, dropoff_address: "Airport" }),
        yield* job(at("13:00:00"), { pickup_lat: 46, pickup_address: "Hotel" }),
        yield* job(at("15:00:00"))
      ]
      yield* assign(earlier, dan, "completed")
      yield* assign(before, dan, "completed")
      yield* assign(after, dan)
      yield* assign(later, dan)
      yield* assign(yield* job(at("11:00:00")), dan, "cancelled")
      yield* job(at("12:30:00"), { car_id: van })
      const { items } = yield* free.list(business, search(), wholeList)
      const jobOf = ({ reference, trip_id, ...trip }: typeof before) => ({
        trip_id,
        reference,
        from: windowOf(trip).starts,
        to: windowOf(trip).ends
      })
      assert.deepStrictEqual(items, [
        {
          driver_id: dan,
          name: "Dan",
          phone: "1",
          car: {
            car_id: van,
            name: "Black",
            plate_number: null,
            vehicle_class: "van",
            seats: 8,
            free: false
          },
          previous_job: { ...jobOf(before), address: "Airport", lat: 47.4, lng: 8.5 },
          next_job: { ...jobOf(after), address: "Hotel", lat: 46, lng: null }
        },
        { driver_id: eve, name: "Eve", phone: null, car: null, previous_job: null, next_job: null }
      ])
      const vans = yield* free.list(business, search({ vehicleClass: "van" }), wholeList)
      assert.deepStrictEqual([vans.items.map(({ name }) => name), vans.total], [["Dan"], 1])
      assert.deepStrictEqual(
        (yield* free.list(business, search({ vehicleClass: "bus" }), wholeList)).items,
        []
      )
    })
  )

  it.effect("is ordered by the distance from a place, drivers at an unknown place last", () =>
    Effect.gen(function* () {
      const free = yield* FreeDriverRepository
      const business = yield* newBusiness
      const endsAt = Effect.fnUntraced(function* (
        name: string,
        lat: number | null,
        lng: number | null,
        trip_date = at("09:00:00")
      ) {
        const trip = yield* newTrip(business, {
          trip_date,
          dropoff_lat: lat,
          dropoff_lng: lng
        })
        yield* assign(trip, yield* newDriver(business, { name }))
      })
      yield* endsAt("Far", 48, 9)
      yield* endsAt("Unknown", null, null)
      yield* endsAt("Near", 47.4, 8.5)
      yield* endsAt("Across", 47.4, -171)
      yield* newDriver(business, { name: "New" })
      const { window } = search()
      yield* endsAt("Old", 47.3769, 8.5417, placesKnownSince(window))
      yield* endsAt("Young", 47.3, 8.5, DateTime.add(placesKnownSince(window), { seconds: 1 }))
      const near = { lat: 47.3769, lng: 8.5417 }
      const { items, total } = yield* free.list(business, search({ near }), wholeList)
      assert.deepStrictEqual(
        items.map(({ name }) => name),
        ["Near", "Young", "Far", "Across", "New", "Old", "Unknown"]
      )
      assert.strictEqual(total, 7)
      const pageOf = (page: number) =>
        Effect.map(free.list(business, search({ near }), { page, perPage: 2 }), (found) => [
          found.items.map(({ name }) => name),
          found.hasMore
        ])
      assert.deepStrictEqual(
        [yield* pageOf(1), yield* pageOf(2), yield* pageOf(3), yield* pageOf(4)],
        [
          [["Near", "Young"], true],
          [["Far", "Across"], true],
          [["New", "Old"], true],
          [["Unknown"], false]
        ]
      )
    })
  )
})
