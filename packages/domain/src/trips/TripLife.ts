/**
 * The one path on which a trip changes, whoever changes it and why. A use case holds the trip, says how it wants it,
 * and settles that: what the assignments make of the trip is derived, and its assignments, its row, its timeline and
 * its events are written from the difference. So equal trips write nothing and send nothing, and nothing that changed
 * goes untold.
 */
import { Context, DateTime, Effect, Layer, type Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { NotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import type { IllegalTransition, Mover } from "../kernel/StateMachine.ts"
import { makeEvent } from "../events/DomainEvent.ts"
import { EventLog } from "../events/EventLog.ts"
import type { EmittedEventType } from "../events/EventType.ts"
import { type Assignment, assignmentMachine, deriveTrip, isLive } from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { linesBetween, type NewTimelineEntry, Timeline } from "./Timeline.ts"
import { type Trip, tripRecord, windowOf } from "./Trip.ts"
import { TripRepository } from "./TripRepository.ts"
import { type CancelReason, tripMachine, type TripStatus } from "./TripStatus.ts"

/** Whether a trip's drivers can do something: it is confirmed or under way. */
export const isOpen = ({ status }: Pick<Trip, "status">): boolean =>
  status === "confirmed" || status === "in_progress"

/** The trip of an optional row, or that there is none. */
export const presentTrip = (found: Option.Option<Trip>): Effect.Effect<Trip, NotFound> =>
  Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource: "trip" }))

/** What a cancellation leaves behind, beside who did it. */
export interface Cancellation {
  readonly reason?: CancelReason | undefined
  readonly feeMinor?: number | null | undefined
}

/**
 * The trip once `mover` moved it to a status; the same trip if it has that status and has not ended. Cancelling it ends what its
 * drivers still had to do. Completing it completes that: who says that the trip is over says so of everybody's part.
 */
export const moved = (
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

/** The trip as its assignments make it; what is pending or has ended keeps its status. */
export const derived = (trip: Trip): Trip => {
  const { driver_status, status } = deriveTrip(trip.drivers)
  return { ...trip, driver_status, status: isOpen(trip) ? status : trip.status }
}

const stamped = (before: Trip, after: Trip, now: DateTime.Utc): Trip => {
  const became = (status: TripStatus) => after.status === status && before.status !== status
  return {
    ...after,
    completed_at: became("completed") ? now : after.completed_at,
    cancelled_at: became("cancelled") ? now : after.cancelled_at,
    updated_at: now
  }
}

/** The fields that are between the business and its books: their change alone is no event. */
const quiet: ReadonlySet<string> = new Set([
  "notes",
  "total_amount",
  "currency",
  "cancellation_fee",
  "payment_status"
])

const driverIds = ({ drivers }: Trip) => drivers.map(({ driver_id }) => driver_id)

const sameDrivers = (before: Trip, after: Trip) => {
  const ids = new Set(driverIds(before))
  return ids.size === after.drivers.length && after.drivers.every(({ driver_id }) => ids.has(driver_id))
}

/** The types of the events that a change means, in the order in which they are sent. */
export const eventsOf = (
  before: Trip,
  after: Trip,
  lines: ReadonlyArray<NewTimelineEntry>
): ReadonlyArray<EmittedEventType> => {
  const moved = before.status !== after.status
  const isLoud = ({ after, change }: NewTimelineEntry) =>
    change === "updated" && Object.keys(after ?? {}).some((field) => !quiet.has(field))
  return [
    ...(moved || lines.some(isLoud) ? (["trip.updated"] as const) : []),
    ...(moved && after.status === "completed" ? (["trip.completed"] as const) : []),
    ...(moved && after.status === "cancelled" ? (["trip.cancelled"] as const) : []),
    ...(sameDrivers(before, after) ? [] : (["driver.assigned"] as const))
  ]
}

/**
 * - `hold`: the acting business's trip, which nobody else changes until the open transaction ends; else `NotFound`.
 * - `settle`: how a held trip stands from now on, wanted so by `by`; gives it as it is stored. Assignments that are
 *   no longer among its drivers are cancelled, new ones are stored already.
 * - `announce`: sends an event about the trip.
 */
export class TripLife extends Context.Service<
  TripLife,
  {
    readonly hold: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<Trip, NotFound>
    readonly settle: (acting: ActingBusiness, before: Trip, wanted: Trip, by: Mover) => Effect.Effect<Trip>
    readonly announce: (acting: ActingBusiness, type: EmittedEventType, trip: Trip) => Effect.Effect<void>
  }
>()("@livery/domain/TripLife") {
  static readonly layer = Layer.effect(
    TripLife,
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const assignments = yield* AssignmentRepository
      const timeline = yield* Timeline
      const events = yield* EventLog
      const cryptography = yield* Cryptography

      const hold = Effect.fn("TripLife.hold")(function* (acting: ActingBusiness, tripId: TripId) {
        return yield* presentTrip(yield* trips.hold(acting.business_id, tripId))
      })

      const announce = Effect.fn("TripLife.announce")(function* (
        acting: ActingBusiness,
        type: EmittedEventType,
        trip: Trip
      ) {
        const { business_id, timezone } = acting
        const data =
          type === "driver.assigned"
            ? { trip_id: trip.trip_id, driver_ids: driverIds(trip) }
            : tripRecord(trip, timezone)
        yield* events.record(
          yield* Effect.provideService(makeEvent(business_id, type, data), Cryptography, cryptography)
        )
      })

      /** What became of each assignment that was there before. */
      const storeAssignments = Effect.fnUntraced(function* (
        before: Trip,
        after: Trip,
        by: Mover,
        now: DateTime.Utc
      ) {
        const standing = new Map(after.drivers.map((it) => [it.assignment_id, it.status]))
        const statusOf = ({ assignment_id }: Assignment) => standing.get(assignment_id) ?? "cancelled"
        for (const status of assignmentMachine.states) {
          const ids = before.drivers
            .filter((it) => it.status !== status && statusOf(it) === status)
            .map(({ assignment_id }) => assignment_id)
          if (ids.length > 0) yield* assignments.move(before.business_id, ids, { status, by, now })
        }
        const [was, is] = [windowOf(before), windowOf(after)]
        const isRetimed =
          !DateTime.Equivalence(was.starts, is.starts) || !DateTime.Equivalence(was.ends, is.ends)
        // Also what is over: it is a job of somebody's still, and listed where its trip is.
        if (isRetimed) yield* assignments.retime(before.business_id, before.trip_id, is)
      })

      const settle = Effect.fn("TripLife.settle")(function* (
        acting: ActingBusiness,
        before: Trip,
        wanted: Trip,
        by: Mover
      ) {
        const now = yield* DateTime.now
        const after = stamped(before, derived(wanted), now)
        const lines = linesBetween(before, after, acting.timezone)
        if (lines.length === 0) return before
        // The derivation moves only as the table does; anything else is a fault of this program.
        if (before.status !== after.status) yield* Effect.orDie(tripMachine.move(before.status, after.status))
        yield* storeAssignments(before, after, by, now)
        yield* trips.update(after)
        yield* timeline.append(acting.business_id, before.trip_id, lines, now)
        for (const type of eventsOf(before, after, lines)) yield* announce(acting, type, after)
        return after
      })

      return TripLife.of({ hold, settle, announce })
    })
  )
}
