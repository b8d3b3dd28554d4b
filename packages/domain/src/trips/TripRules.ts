/** Pure rules of a trip's change: what a new status brings with it, and which events the change means. */
import type { DateTime } from "effect"
import { Effect } from "effect"
import type { EmittedEventType } from "../events/EventType.ts"
import type { DriverId } from "../kernel/Ids.ts"
import type { IllegalTransition, Mover } from "../kernel/StateMachine.ts"
import { deriveTrip, isLive } from "./Assignment.ts"
import type { Checks } from "./Clashes.ts"
import type { NewTimelineEntry } from "./Timeline.ts"
import type { Trip } from "./Trip.ts"
import { type CancelReason, isDispatchable, isOpenTrip, tripMachine, type TripStatus } from "./TripStatus.ts"
import { isSameWindow, windowOf } from "./TripWindow.ts"

/** The ids of a trip's drivers, in the order of its assignments. */
export const driverIdsOf = ({ drivers }: Trip): ReadonlyArray<DriverId> =>
  drivers.map(({ driver_id }) => driver_id)

/** Details of a cancellation. `feeMinor` is in minor units of the trip's currency. */
export interface Cancellation {
  readonly reason?: CancelReason | undefined
  readonly feeMinor?: number | null | undefined
}

/**
 * The trip after `mover` gave it a status. Cancelling a trip removes its live assignments; completing it completes
 * them. A status that the trip already has and that is not final leaves the trip as it is.
 */
export const withStatus = (
  trip: Trip,
  to: TripStatus,
  mover: Mover,
  { feeMinor = null, reason }: Cancellation = {}
): Effect.Effect<Trip, IllegalTransition> => {
  if (trip.status === to && !tripMachine.isTerminal(to)) return Effect.succeed(trip)
  return Effect.map(tripMachine.move(trip.status, to, mover), (status): Trip => {
    switch (status) {
      case "cancelled":
        return {
          ...trip,
          status,
          cancel_reason: reason ?? (mover === "customer" ? "customer_request" : "operator"),
          cancelled_by: mover,
          cancellation_fee_minor: feeMinor,
          drivers: trip.drivers.filter((assignment) => !isLive(assignment))
        }
      case "completed":
        return {
          ...trip,
          status,
          drivers: trip.drivers.map((assignment) =>
            isLive(assignment) ? { ...assignment, status: "completed" } : assignment
          )
        }
      default:
        return { ...trip, status }
    }
  })
}

/** The trip with the status that follows from its assignments; a pending or ended trip keeps its own. */
export const withDerivedStatus = (trip: Trip): Trip => {
  const { driver_status, status } = deriveTrip(trip.drivers)
  return { ...trip, driver_status, status: isDispatchable(trip.status) ? status : trip.status }
}

/** `after` with the times at which it was changed, completed and cancelled. */
export const withTimestamps = (before: Trip, after: Trip, now: DateTime.Utc): Trip => {
  const became = (status: TripStatus) => after.status === status && before.status !== status
  return {
    ...after,
    completed_at: became("completed") ? now : after.completed_at,
    cancelled_at: became("cancelled") ? now : after.cancelled_at,
    updated_at: now
  }
}

/** Internal fields of the business: a change of only these sends no event. */
const internalFields: ReadonlySet<string> = new Set([
  "notes",
  "total_amount",
  "currency",
  "cancellation_fee",
  "payment_status"
])

const hasSameDrivers = (before: Trip, after: Trip) => {
  const ids = new Set(driverIdsOf(before))
  return ids.size === after.drivers.length && driverIdsOf(after).every((id) => ids.has(id))
}

/** The types of the events that a change sends, in the order in which they are sent. */
export const eventTypesOf = (
  before: Trip,
  after: Trip,
  entries: ReadonlyArray<NewTimelineEntry>
): ReadonlyArray<EmittedEventType> => {
  const isMoved = before.status !== after.status
  const isPublic = ({ after, change }: NewTimelineEntry) =>
    change === "updated" && Object.keys(after ?? {}).some((field) => !internalFields.has(field))
  return [
    ...(isMoved || entries.some(isPublic) ? (["trip.updated"] as const) : []),
    ...(isMoved && after.status === "completed" ? (["trip.completed"] as const) : []),
    ...(isMoved && after.status === "cancelled" ? (["trip.cancelled"] as const) : []),
    ...(hasSameDrivers(before, after) ? [] : (["driver.assigned"] as const))
  ]
}

const hasChanged = (before: Trip, after: Trip, fields: ReadonlyArray<keyof Trip>) =>
  fields.some((field) => before[field] !== after[field])

/** What a changed trip is checked for: what the change can affect. A trip that has ended is not checked. */
export const checksOfChange = (before: Trip, after: Trip): Checks => {
  const isOpen = isOpenTrip(after.status)
  const isReopened = isOpen && !isOpenTrip(before.status)
  const isRetimed = isOpen && (isReopened || !isSameWindow(windowOf(before), windowOf(after)))
  const isRelocated = hasChanged(before, after, ["pickup_lat", "pickup_lng", "dropoff_lat", "dropoff_lng"])
  const hasOtherCar = isOpen && (isReopened || before.car_id !== after.car_id)
  const live = isOpen ? after.drivers.filter(isLive).map(({ driver_id }) => driver_id) : []
  return {
    drivers: isRetimed || isRelocated ? live : [],
    decisiveDrivers: isRetimed ? live : [],
    car: isOpen && (isRetimed || hasOtherCar || isRelocated),
    decisiveCar: isRetimed || hasOtherCar,
    seats: isOpen && (hasOtherCar || before.participants_count !== after.participants_count),
    duplicates:
      isOpen && (isRetimed || isReopened || hasChanged(before, after, ["pickup_address", "customer_name"]))
  }
}
