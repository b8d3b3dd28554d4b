/** The drivers, cars and trips of the demonstration business. */
import { DateTime, Effect, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { CarInput } from "../fleet/cars/Car.ts"
import { Cars } from "../fleet/cars/Cars.ts"
import { DriverInput } from "../fleet/drivers/Driver.ts"
import { Drivers } from "../fleet/Drivers.ts"
import { DriverId, TripId } from "../kernel/Ids.ts"
import { instantOf, localDay } from "../kernel/time/WallClock.ts"
import { Assignments } from "../trips/assignments/Assignments.ts"
import { TripInput } from "../trips/trip/TripInput.ts"
import { TripList } from "../trips/lists/TripList.ts"
import { Trips } from "../trips/Trips.ts"

const carInputs = [
  { name: "Mercedes-Benz S-Class", vehicle_class: "sedan", seats: 3 },
  { name: "Mercedes-Benz V-Class", vehicle_class: "van", seats: 7 }
] as const satisfies ReadonlyArray<typeof CarInput.Encoded>

const driverInputs = [
  { name: "Grace Hopper", phone: "+41 79 555 01 01" },
  { name: "Katherine Johnson", phone: "+41 79 555 01 02" }
] as const satisfies ReadonlyArray<typeof DriverInput.Encoded>

const minutesPerTrip = 45

/** The trips of a day: hour, places, passenger, price, and the driver by number. The last trip has no driver yet. */
const jobs = [
  [6, "Grand Hotel", "Airport, Terminal 2", "Ada Lovelace", 95, 0],
  [7, "Airport, Terminal 1", "Conference Centre", "Alan Turing", 129.5, 1],
  [9, "Central Station", "Lake Villa", "Emmy Noether", 74, 0],
  [11, "Conference Centre", "Old Town", "Charles Babbage", 48, 1],
  [14, "Lake Villa", "Opera House", "Sofia Kovalevskaya", 66, 0],
  [16, "Opera House", "Airport, Terminal 1", "Kurt Gödel", 129.5, 1],
  [19, "Airport, Terminal 1", "Grand Hotel", "Maryam Mirzakhani", 95, 0],
  [21, "Old Town", "Central Station", "Srinivasa Ramanujan", 52, undefined]
] as const

/** The numbers of the added records. */
export interface AddedDay {
  readonly cars: number
  readonly drivers: number
  readonly trips: number
}

const decodeCar = Schema.decodeEffect(CarInput)
const decodeDriver = Schema.decodeEffect(DriverInput)
const decodeTrip = Schema.decodeUnknownEffect(TripInput)
const firstPage = { page: 1, perPage: 25 }

/**
 * Builds the function that adds cars and drivers to a business that has no car or no active driver, and today's trips if it
 * has none today. Trips whose time has passed are completed.
 */
export const makeDemonstrationDay = Effect.gen(function* () {
  const cars = yield* Cars
  const drivers = yield* Drivers
  const trips = yield* Trips
  const tripList = yield* TripList
  const assignments = yield* Assignments

  return Effect.fnUntraced(function* (acting: ActingBusiness) {
    const existing = yield* drivers.list(acting, { active: true }, firstPage)
    const driverIds = existing.items.map(({ driver_id }) => DriverId.make(driver_id))
    const hasCars = (yield* cars.list(acting, {}, firstPage)).items.length > 0
    const added = { cars: 0, drivers: 0, trips: 0 }
    for (const car of hasCars ? [] : carInputs) {
      yield* cars.create(acting, yield* decodeCar(car))
      added.cars += 1
    }
    for (const driver of driverIds.length > 0 ? [] : driverInputs) {
      driverIds.push(DriverId.make((yield* drivers.create(acting, yield* decodeDriver(driver))).driver_id))
      added.drivers += 1
    }
    const now = yield* DateTime.now
    const today = localDay(now, acting.timezone)
    const { items } = yield* tripList.page(acting, { date_from: today, date_to: today })
    for (const [hour, pickup, dropoff, passenger, price, driver] of items.length > 0 ? [] : jobs) {
      const trip_date = `${today}T${String(hour).padStart(2, "0")}:00:00`
      const input = yield* decodeTrip({
        trip_date,
        duration_minutes: minutesPerTrip,
        pickup_address: pickup,
        dropoff_address: dropoff,
        customer_name: passenger,
        total_amount: price
      })
      const tripId = TripId.make((yield* trips.create(acting, input)).trip_id)
      added.trips += 1
      const driverId = driver === undefined ? undefined : driverIds[driver % driverIds.length]
      if (driverId === undefined) continue
      yield* assignments.assign(acting, tripId, { driver_ids: [driverId], force: true })
      const end = DateTime.add(instantOf(trip_date, acting.timezone), { minutes: minutesPerTrip })
      if (DateTime.isLessThan(end, now)) yield* assignments.reportFor(acting, tripId, { status: "completed" })
    }
    return added
  }, Effect.orDie)
})
