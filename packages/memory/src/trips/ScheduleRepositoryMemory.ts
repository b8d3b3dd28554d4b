import {
  type BusinessId,
  type CarId,
  carsOf,
  isLive,
  isOpenTrip,
  nearbyMinutes,
  type NearbyTrip,
  overlaps,
  ScheduleRepository,
  type Trip,
  type TripWindow,
  windowOf,
  windowOfAbsence
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { likelyDuplicates } from "./LikelyDuplicates.ts"
import { storedTrips } from "./StoredTrips.ts"

/** The window in which other trips are nearby. */
const around = ({ ends, starts }: TripWindow): TripWindow => ({
  starts: DateTime.subtract(starts, { minutes: nearbyMinutes }),
  ends: DateTime.add(ends, { minutes: nearbyMinutes })
})

/** The fields of a nearby trip apart from its driver and car. */
const nearbyTripOf = (trip: Trip, window: TripWindow) => ({
  trip_id: trip.trip_id,
  absence_id: null,
  ...window,
  pickup_lat: trip.pickup_lat,
  pickup_lng: trip.pickup_lng,
  dropoff_lat: trip.dropoff_lat,
  dropoff_lng: trip.dropoff_lng
})

export const layer = inMemory(ScheduleRepository, (store) => {
  const { absences, assignments, businesses, cars, customers, drivers, step } = store
  const { find, ofBusiness, withDrivers } = storedTrips(store)

  const comparedCars = (businessId: BusinessId, carIds: ReadonlyArray<CarId>) =>
    cars
      .where(({ business_id, car_id }) => business_id === businessId && carIds.includes(car_id))
      .map(({ car_id, seats, vehicle_class }) => ({ car_id, seats, vehicle_class }))
      .toSorted(ascending(({ car_id }) => [car_id]))

  return {
    policy: (businessId) =>
      step(() => {
        const {
          clash_policy = "warn",
          drive_time_enforced = false,
          early_start_minutes = null,
          turnaround_minutes = 0
        } = businesses.get(businessId) ?? {}
        return { clash_policy, drive_time_enforced, turnaround_minutes, early_start_minutes }
      }),
    lock: () => Effect.void,
    nearby: (businessId, { carIds, driverIds, tripId, window }) =>
      step(() => {
        const ofDrivers = assignments
          .where(
            (one) =>
              one.business_id === businessId &&
              driverIds.includes(one.driver_id) &&
              isLive(one) &&
              one.trip_id !== tripId &&
              overlaps(one.window, around(window))
          )
          .flatMap((one) => {
            const trip = find(businessId, one.trip_id)
            return trip === undefined
              ? []
              : [{ driver_id: one.driver_id, car_id: null, ...nearbyTripOf(trip, one.window) }]
          })
        const away = absences
          .where(
            (absence) =>
              absence.business_id === businessId &&
              driverIds.includes(absence.driver_id) &&
              overlaps(windowOfAbsence(absence), around(window))
          )
          .map((absence) => ({
            driver_id: absence.driver_id,
            car_id: null,
            trip_id: null,
            absence_id: absence.absence_id,
            ...windowOfAbsence(absence),
            pickup_lat: null,
            pickup_lng: null,
            dropoff_lat: null,
            dropoff_lng: null
          }))
        const ofCars = ofBusiness(businessId)
          .filter(
            (trip) =>
              trip.trip_id !== tripId && isOpenTrip(trip.status) && overlaps(windowOf(trip), around(window))
          )
          .flatMap((trip) =>
            carsOf(withDrivers(trip))
              .filter((carId) => carIds.includes(carId))
              .map((car_id) => ({ driver_id: null, car_id, ...nearbyTripOf(trip, windowOf(trip)) }))
          )
          .toSorted(ascending(({ car_id, trip_id }) => [car_id, trip_id]))
        const byDriver = ascending<NearbyTrip>(({ absence_id, driver_id, trip_id }) => [
          driver_id ?? 0,
          trip_id ?? Number.MAX_SAFE_INTEGER,
          absence_id ?? 0
        ])
        return [...[...ofDrivers, ...away].toSorted(byDriver), ...ofCars]
      }),
    driverChoices: (businessId, customerIds) =>
      step(() =>
        customers
          .where(
            ({ business_id, customer_id, preferred_driver_ids, refused_driver_ids }) =>
              business_id === businessId &&
              customerIds.includes(customer_id) &&
              preferred_driver_ids.length + refused_driver_ids.length > 0
          )
          .toSorted(ascending(({ customer_id }) => [customer_id]))
          .map(({ customer_id, preferred_driver_ids, refused_driver_ids }) => ({
            customer_id,
            preferred_driver_ids,
            refused_driver_ids
          }))
      ),
    warningFacts: (businessId, { booking, carIds, customerId, driverIds, tripId }) =>
      step(() => ({
        cars: comparedCars(businessId, carIds),
        licenses: drivers
          .where((driver) => driver.business_id === businessId && driverIds.includes(driver.driver_id))
          .flatMap(({ driver_id, license_expires_on }) =>
            license_expires_on === null ? [] : [{ driver_id, license_expires_on }]
          )
          .toSorted(ascending(({ driver_id }) => [driver_id])),
        refused: customers
          .where((one) => one.business_id === businessId && one.customer_id === customerId)
          .flatMap(({ refused_driver_ids }) => refused_driver_ids.filter((id) => driverIds.includes(id)))
          .toSorted(ascending((id) => [id])),
        duplicates: booking === null ? [] : likelyDuplicates(ofBusiness(businessId), booking, tripId)
      }))
  }
})
