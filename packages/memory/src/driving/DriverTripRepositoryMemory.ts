import {
  type BusinessId,
  DrivenCar,
  type DriverId,
  DriverTrip,
  DriverTripRepository,
  holdsPlaces,
  isOnTrip,
  isUpcoming
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import type { AssignmentRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "../trips/StoredTrips.ts"

const placeOf = ({ trip_id, window }: AssignmentRow) => [DateTime.toEpochMillis(window.starts), trip_id]

const isUpcomingAt = (now: DateTime.Utc) => (job: AssignmentRow) =>
  isUpcoming({ status: job.status, ends: job.window.ends }, now)

export const layer = inMemory(DriverTripRepository, (store) => {
  const { assignments, bookings, businesses, cars, drivers, links, step, trips } = store
  const { assignmentOf } = storedTrips(store)

  /** A driver's jobs: the last assignment to each trip that is not deleted. */
  const jobsOf = (businessId: BusinessId, driverId: DriverId) => {
    const own = assignments.where(
      ({ business_id, driver_id }) => business_id === businessId && driver_id === driverId
    )
    return own.filter(
      (job) =>
        trips.get(job.trip_id)?.deleted_at === undefined &&
        (isOnTrip(job) ||
          !own.some((other) => other.trip_id === job.trip_id && other.assignment_id > job.assignment_id))
    )
  }

  const carOf = (carId: Parameters<typeof cars.get>[0] | null) => {
    const car = carId === null ? undefined : cars.get(carId)
    return car === undefined ? null : only(DrivenCar, car)
  }

  const driverTrip = (job: AssignmentRow): ReadonlyArray<DriverTrip> => {
    const trip = trips.get(job.trip_id)
    if (trip === undefined) return []
    const { accepted_at, assignment_id, declined_at, milestones, status } = assignmentOf(job)
    const car = carOf(job.car_id ?? trip.car_id)
    const pickup_pin_required =
      businesses.get(job.business_id)?.pickup_pin === true && links.get(job.trip_id) !== undefined
    const participants = bookings
      .where(
        (booking) =>
          booking.trip_id === job.trip_id &&
          booking.shares_trip &&
          booking.deleted_at === undefined &&
          holdsPlaces(booking.status)
      )
      .map(({ customer_name, customer_phone, participants_count, pickup_address }) => ({
        name: customer_name ?? "",
        phone: customer_phone,
        count: participants_count,
        pickup_address
      }))
    const ofJob = {
      assignment_id,
      milestones,
      status,
      accepted_at,
      declined_at,
      trip_status: trip.status,
      car,
      pickup_pin_required,
      participants
    }
    return [only(DriverTrip, { ...trip, ...ofJob })]
  }

  return {
    find: (businessId, driverId, tripId) =>
      step(() => {
        const job = jobsOf(businessId, driverId).find(({ trip_id }) => trip_id === tripId)
        return Option.fromUndefinedOr(job && driverTrip(job)[0])
      }),
    list: (businessId, driverId, { filter, now, order, status }, page) =>
      step(() => {
        const isUpcomingJob = isUpcomingAt(now)
        const listed = jobsOf(businessId, driverId)
          .filter(
            (job) =>
              (filter === undefined || isUpcomingJob(job) === (filter === "upcoming")) &&
              (status ?? job.status) === job.status
          )
          .toSorted(order === "soonest" ? ascending(placeOf) : descending(placeOf))
        const { items, ...rest } = pageOf(listed, page)
        return { ...rest, items: items.flatMap(driverTrip) }
      }),
    day: (businessId, driverId, { ends, now, starts }) =>
      Effect.flatMap(
        step(() => {
          const driver = drivers.get(driverId)
          if (driver === undefined) return undefined
          const jobs = jobsOf(businessId, driverId)
          const upcoming = jobs.filter(isUpcomingAt(now))
          const carIds = new Set(
            upcoming.map(({ car_id, trip_id }) => car_id ?? trips.get(trip_id)?.car_id ?? null)
          )
          const defaultCar = driver.default_car_id === null ? undefined : cars.get(driver.default_car_id)
          return {
            name: driver.name,
            trips_today: jobs.filter(
              (job) =>
                isOnTrip(job) &&
                DateTime.isGreaterThanOrEqualTo(job.window.starts, starts) &&
                DateTime.isLessThan(job.window.starts, ends)
            ).length,
            trips_upcoming: upcoming.length,
            trips_completed: jobs.filter(({ status }) => status === "completed").length,
            default_car: defaultCar?.deleted_at === undefined ? carOf(driver.default_car_id) : null,
            upcoming_cars: [...carIds]
              .flatMap((carId) => carOf(carId) ?? [])
              .toSorted(ascending(({ car_id, name }) => [name, car_id]))
          }
        }),
        (day) => Effect.orDie(Effect.fromNullishOr(day))
      )
  }
})
