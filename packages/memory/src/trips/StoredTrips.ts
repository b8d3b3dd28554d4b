/** Trips and assignments as the domain reads them. */
import {
  type Assignment,
  type BusinessId,
  isOnTrip,
  meetsCriteria,
  type Trip,
  type TripCriteria,
  type TripId
} from "@livery/domain"
import { DateTime } from "effect"
import { rowOf } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import type { AssignmentRow } from "../store/Rows.ts"
import type { Store } from "../store/Store.ts"

/** Functions over the trips of a store. */
export const storedTrips = ({ assignments, cars, drivers, trips }: Store["Service"]) => {
  /** An assignment with its driver's name, and its milestones in order of time. */
  const assignmentOf = ({
    accepted_at,
    accepted_pickup,
    assignment_id,
    car_id,
    decline_reason,
    declined_at,
    driver_id,
    has_default_car,
    milestones,
    status
  }: AssignmentRow): Assignment => ({
    assignment_id,
    driver_id,
    name: drivers.get(driver_id)?.name ?? "",
    status,
    car_id,
    has_default_car,
    accepted_at,
    accepted_pickup,
    declined_at,
    decline_reason,
    milestones: milestones.toSorted(
      ascending(({ at, milestone, stop_index }) => [DateTime.toEpochMillis(at), milestone, stop_index ?? 0])
    )
  })

  /** A trip with its assignments. */
  const withDrivers = (trip: Trip): Trip => {
    const all = assignments
      .where(({ trip_id }) => trip_id === trip.trip_id)
      .toSorted(ascending(({ assignment_id }) => [assignment_id]))
      .map(assignmentOf)
    const isCurrent = (assignment: Assignment) =>
      isOnTrip(assignment) && assignment.assignment_id > (trip.reopened_after ?? 0)
    return {
      ...trip,
      drivers: all.filter(isCurrent),
      former_drivers: all.filter((assignment) => !isCurrent(assignment))
    }
  }

  /** The trips of a business that are not deleted, without their drivers. */
  const ofBusiness = (businessId: BusinessId) =>
    trips.where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)

  const find = (businessId: BusinessId, tripId: TripId): Trip | undefined => {
    const trip = rowOf(trips, businessId, tripId)
    return trip && withDrivers(trip)
  }

  /** Whether a trip with its drivers meets the criteria of a list. */
  const meets = (trip: Trip, criteria: TripCriteria) =>
    meetsCriteria(trip, (carId) => cars.get(carId)?.vehicle_class ?? null, criteria)

  return { assignmentOf, withDrivers, ofBusiness, find, meets }
}

/** The place of a trip in lists: by pickup time, then by id. */
export const placeOf = ({ trip_date, trip_id }: Pick<Trip, "trip_date" | "trip_id">) => [
  DateTime.toEpochMillis(trip_date),
  trip_id
]
