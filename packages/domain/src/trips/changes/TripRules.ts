/** Pure rules of a trip's change: the consequences of a new status, the events that it sends, and the checks it needs. */
import type { DateTime } from "effect"
import { Effect } from "effect"
import type { EmittedEventType } from "../../events/EventType.ts"
import { Conflict } from "../../kernel/Errors.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { IllegalTransition, type Mover } from "../../kernel/StateMachine.ts"
import {
  type Assignment,
  derivedStatuses,
  isAcceptedTime,
  isLive,
  isOnTrip,
  unanswered
} from "../trip/Assignment.ts"
import type { Checks } from "../schedule/Clashes.ts"
import type { NewTimelineEntry } from "../timeline/Timeline.ts"
import { everyAssignment, officeFields, type Trip } from "../trip/Trip.ts"
import { carsOf, type StaffedTrip } from "../schedule/TripCars.ts"
import {
  type CancelReason,
  isDispatchable,
  isOpenTrip,
  operatorMoves,
  reopenRoute,
  tripMachine,
  type TripStatus
} from "../trip/TripStatus.ts"
import { isSameWindow, windowOf } from "../trip/TripWindow.ts"

/** The ids of a trip's drivers, in the order of its assignments. */
export const driverIdsOf = ({ drivers }: Trip): ReadonlyArray<DriverId> =>
  drivers.map(({ driver_id }) => driver_id)

/** Details of a cancellation. `feeMinor` is in minor units of the trip's currency. */
export interface Cancellation {
  readonly reason?: CancelReason | undefined
  readonly feeMinor?: number | null | undefined
}

/** Advice for an operator who wants to give an ended trip a status that a reopened trip has or may get. */
const adviceOnEnded = (from: TripStatus, to: TripStatus, mover: Mover): { readonly advice?: string } => {
  if (from === to || mover !== "operator") return {}
  if (tripMachine.can(from, to, mover)) return { advice: `Reopen it with ${reopenRoute}` }
  return operatorMoves("confirmed").includes(to) ? { advice: `Reopen it first, with ${reopenRoute}` } : {}
}

/**
 * The trip after `mover` gave it a status. Cancelling a trip removes its live assignments; completing it completes
 * them. A status that the trip already has and that is not final does not change the trip.
 */
export const withStatus = (
  trip: Trip,
  to: TripStatus,
  mover: Mover,
  { feeMinor = null, reason }: Cancellation = {}
): Effect.Effect<Trip, IllegalTransition> => {
  if (!isOpenTrip(trip.status))
    return Effect.fail(
      new IllegalTransition({
        machine: tripMachine.name,
        from: trip.status,
        to,
        legal: [],
        final: true,
        ...adviceOnEnded(trip.status, to, mover)
      })
    )
  if (trip.status === to) return Effect.succeed(trip)
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

/**
 * The ended trip as a confirmed one again. Its assignments stay ended and become former ones; only the timeline still
 * records how the trip had ended.
 */
export const reopened = (trip: Trip): Trip => {
  const former_drivers = everyAssignment(trip)
  return {
    ...trip,
    status: "confirmed",
    drivers: [],
    former_drivers,
    reopened_after: former_drivers.at(-1)?.assignment_id ?? null,
    cancel_reason: null,
    cancelled_by: null,
    cancellation_fee_minor: null,
    cancelled_at: null,
    completed_at: null
  }
}

/** Fails unless the trip can be reopened: it has ended, and it is not on an invoice. */
export const requireReopenable = ({
  invoice_id,
  status
}: Trip): Effect.Effect<void, IllegalTransition | Conflict> => {
  if (isOpenTrip(status))
    return Effect.fail(
      new IllegalTransition({
        machine: tripMachine.name,
        from: status,
        to: "confirmed",
        legal: operatorMoves(status),
        final: false,
        reason: `Only a trip that has ended can be reopened; this one is ${status}`
      })
    )
  return invoice_id === null
    ? Effect.void
    : Effect.fail(new Conflict({ reason: "The trip is on an invoice; detach it from the invoice first" }))
}

/**
 * Fails if the change gives a trip on an invoice another price, fee or currency: the invoice charges the former amount. The
 * fee that is sent with a cancellation is part of the cancellation, not of this change.
 */
export const requireInvoicedPrice = (before: Trip, after: Trip): Effect.Effect<void, Conflict> => {
  const { invoice_id } = before
  return invoice_id === null ||
    !hasChanged(before, after, ["currency", "total_minor", "cancellation_fee_minor"])
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason:
            `The trip is on an invoice (invoice_id ${invoice_id}), which charges its price. Detach the trip from the ` +
            "invoice, or credit the invoice in full, then change the price",
          records: [{ type: "invoice", invoice_id }]
        })
      )
}

/** The trip after a change. The assignments that the change removed are added to `former_drivers`, as cancelled. */
export const withFormerDrivers = (before: Trip, after: Trip): Trip => {
  const present = new Set(everyAssignment(after).map(({ assignment_id }) => assignment_id))
  const lost = before.drivers
    .filter(({ assignment_id }) => !present.has(assignment_id))
    .map((assignment) => ({ ...assignment, status: "cancelled" as const }))
  return lost.length === 0 ? after : { ...after, former_drivers: [...after.former_drivers, ...lost] }
}

/**
 * The trip without the acceptances that a change made void: the pickup is at another place, or its time is further than
 * {@link acceptedWithinMinutes} from the accepted one. A driver who has started accepts no more.
 */
export const withoutOldAcceptances = (before: Trip, after: Trip): Trip => {
  const isVoid = ({ accepted_pickup, status }: Assignment) =>
    status === "assigned" &&
    accepted_pickup !== null &&
    (before.pickup_address !== after.pickup_address || !isAcceptedTime(accepted_pickup, after.trip_date))
  return after.drivers.some(isVoid)
    ? {
        ...after,
        drivers: after.drivers.map((assignment) =>
          isVoid(assignment) ? { ...assignment, ...unanswered } : assignment
        )
      }
    : after
}

/** The trip with the status that follows from its assignments; a pending or ended trip keeps its own. */
export const withDerivedStatus = (trip: Trip): Trip => {
  const { driver_status, status } = derivedStatuses(trip.drivers)
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

/** The drivers that a change added and removed, in the order of their assignments. Those who declined are removed too. */
export const changedDrivers = (before: Trip, after: Trip) => {
  const earlier = new Set(driverIdsOf(before))
  const cancelled = new Set(
    after.former_drivers
      .filter((assignment) => !isOnTrip(assignment))
      .map(({ assignment_id }) => assignment_id)
  )
  const removed = before.drivers.filter(({ assignment_id }) => cancelled.has(assignment_id))
  const declined = new Set(
    after.former_drivers.flatMap(({ assignment_id, declined_at }) => (declined_at ? [assignment_id] : []))
  )
  return {
    added_driver_ids: driverIdsOf(after).filter((id) => !earlier.has(id)),
    removed_driver_ids: removed.map(({ driver_id }) => driver_id),
    declined_driver_ids: removed
      .filter(({ assignment_id }) => declined.has(assignment_id))
      .map(({ driver_id }) => driver_id)
  }
}

/** The types of the events that a change sends, in the order in which they are sent. */
export const eventTypesOf = (
  before: Trip,
  after: Trip,
  entries: ReadonlyArray<NewTimelineEntry>
): ReadonlyArray<EmittedEventType> => {
  const hasNewStatus = before.status !== after.status
  const { added_driver_ids, removed_driver_ids } = changedDrivers(before, after)
  const hasSameDrivers = added_driver_ids.length === 0 && removed_driver_ids.length === 0
  const isPublic = ({ after, change }: NewTimelineEntry) =>
    change === "driver_car_changed" ||
    change === "driver_accepted" ||
    change === "driver_acceptance_ended" ||
    (change === "updated" && Object.keys(after ?? {}).some((field) => !officeFields.includes(field)))
  return [
    ...(hasNewStatus || entries.some(isPublic) ? (["trip.updated"] as const) : []),
    ...(hasNewStatus && after.status === "completed" ? (["trip.completed"] as const) : []),
    ...(hasNewStatus && after.status === "cancelled" ? (["trip.cancelled"] as const) : []),
    ...(hasSameDrivers ? [] : (["driver.assigned"] as const))
  ]
}

const hasChanged = (before: Trip, after: Trip, fields: ReadonlyArray<keyof Trip>) =>
  fields.some((field) => before[field] !== after[field])

/** The checks of a changed trip: those that the change can affect. A trip that has ended is not checked. */
export const checksOfChange = (before: Trip, after: Trip): Checks => {
  const isOpen = isOpenTrip(after.status)
  const isReopened = isOpen && !isOpenTrip(before.status)
  const hasOtherTime = isOpen && (isReopened || !isSameWindow(windowOf(before), windowOf(after)))
  const hasOtherPlaces = hasChanged(before, after, ["pickup_lat", "pickup_lng", "dropoff_lat", "dropoff_lng"])
  const cars = isOpen ? carsOf(after) : []
  const known = new Set(isReopened ? [] : carsOf(before))
  const newCars = cars.filter((carId) => !known.has(carId))
  const hasOtherCars = newCars.length > 0 || cars.length !== known.size
  const hasOtherOrder = hasChanged(before, after, ["participants_count", "vehicle_class"])
  const live = isOpen ? after.drivers.filter(isLive).map(({ driver_id }) => driver_id) : []
  return {
    drivers: hasOtherTime || hasOtherPlaces ? live : [],
    enforcedDrivers: hasOtherTime ? live : [],
    cars: hasOtherTime || hasOtherPlaces ? cars : newCars,
    enforcedCars: hasOtherTime ? cars : newCars,
    hasOtherPlaces,
    comparedCars: hasOtherCars || hasOtherOrder ? cars : [],
    duplicates:
      isOpen && (hasOtherTime || isReopened || hasChanged(before, after, ["pickup_address", "customer_name"]))
  }
}

/**
 * The checks of a trip whose drivers changed: those of every driver and every car. The clash policy is enforced for the
 * new drivers, and for all cars if there are new drivers, otherwise for the new cars.
 */
export const checksOfStaffing = (
  before: Trip,
  after: StaffedTrip,
  added: ReadonlyArray<DriverId>
): Checks => {
  const cars = carsOf(after)
  const known = new Set(carsOf(before))
  return {
    drivers: after.drivers.filter(isLive).map(({ driver_id }) => driver_id),
    enforcedDrivers: added,
    cars,
    enforcedCars: added.length > 0 ? cars : cars.filter((carId) => !known.has(carId)),
    hasOtherPlaces: false,
    comparedCars: cars,
    duplicates: false
  }
}
