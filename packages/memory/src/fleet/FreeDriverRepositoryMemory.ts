import {
  carsOf,
  distanceTo,
  type FreeDriver,
  FreeDriverRepository,
  isLive,
  isOnTrip,
  isOpenTrip,
  type NearestJob,
  overlaps,
  type TripWindow,
  type DefaultCar,
  windowOf,
  windowOfAbsence
} from "@livery/domain"
import { DateTime } from "effect"
import { rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { AssignmentRow, DriverRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "../trips/StoredTrips.ts"

export const layer = inMemory(FreeDriverRepository, (store) => {
  const { absences, assignments, cars, drivers, step } = store
  const { find, ofBusiness, withDrivers } = storedTrips(store)

  const jobsOf = ({ driver_id }: DriverRow) =>
    assignments
      .where((one) => one.driver_id === driver_id)
      .toSorted(ascending(({ trip_id, window }) => [DateTime.toEpochMillis(window.starts), trip_id]))

  const jobOf = (row: AssignmentRow | undefined, place: "pickup" | "dropoff"): NearestJob | null => {
    const trip = row && find(row.business_id, row.trip_id)
    if (row === undefined || trip === undefined) return null
    return {
      trip_id: trip.trip_id,
      reference: trip.reference,
      from: row.window.starts,
      to: row.window.ends,
      address: trip[`${place}_address`],
      lat: trip[`${place}_lat`],
      lng: trip[`${place}_lng`]
    }
  }

  const isFree = (driver: DriverRow, window: TripWindow) =>
    !jobsOf(driver).some((job) => isLive(job) && overlaps(job.window, window)) &&
    absences.find(
      (absence) => absence.driver_id === driver.driver_id && overlaps(windowOfAbsence(absence), window)
    ) === undefined

  const defaultCar = ({ business_id, default_car_id }: DriverRow, window: TripWindow): DefaultCar | null => {
    const car = default_car_id === null ? undefined : rowOf(cars, business_id, default_car_id)
    if (car === undefined || !car.active) return null
    const { car_id, name, plate_number, seats, vehicle_class } = car
    const isTaken = ofBusiness(business_id).some(
      (trip) =>
        isOpenTrip(trip.status) &&
        overlaps(windowOf(trip), window) &&
        carsOf(withDrivers(trip)).includes(car_id)
    )
    return { car_id, name, plate_number, vehicle_class, seats, free: !isTaken }
  }

  const freeDriver = (driver: DriverRow, window: TripWindow): FreeDriver => {
    const jobs = jobsOf(driver).filter((job) => find(job.business_id, job.trip_id) !== undefined)
    const previous = jobs.findLast(
      (job) => isOnTrip(job) && DateTime.isLessThan(job.window.starts, window.starts)
    )
    const next = jobs.find((job) => isLive(job) && !DateTime.isLessThan(job.window.starts, window.ends))
    return {
      driver_id: driver.driver_id,
      name: driver.name,
      phone: driver.phone,
      car: defaultCar(driver, window),
      previous_job: jobOf(previous, "dropoff"),
      next_job: jobOf(next, "pickup")
    }
  }

  return {
    list: (businessId, search, page) =>
      step(() => {
        const { vehicleClass, window } = search
        const listed = drivers
          .where(
            (driver) =>
              driver.business_id === businessId &&
              driver.active &&
              driver.deleted_at === undefined &&
              isFree(driver, window)
          )
          .map((driver) => freeDriver(driver, window))
          .filter(({ car }) => vehicleClass === null || car?.vehicle_class === vehicleClass)
          .toSorted(
            ascending((driver) => [
              distanceTo(search, driver) ?? Number.MAX_SAFE_INTEGER,
              driver.name,
              driver.driver_id
            ])
          )
        return pageOf(listed, page)
      })
  }
})
