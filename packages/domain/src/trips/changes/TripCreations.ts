/** The writes of the trip's unit of work for many new trips at once. */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { DomainEvent } from "../../events/DomainEvent.ts"
import { EventLog } from "../../events/EventLog.ts"
import type { EmittedEventType } from "../../events/EventType.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { creationEntry, type NewTimelineEntry, timelineEntriesOf } from "../timeline/Timeline.ts"
import { TimelineRepository } from "../timeline/TimelineRepository.ts"
import { type NewTrip, storedTrip, type Trip } from "../trip/Trip.ts"
import { TripIds } from "../trip/TripIds.ts"
import { TripRepository } from "../trip/TripRepository.ts"
import type { TripEnd } from "../trip/TripStatus.ts"
import { withStatus, withTimestamps } from "./TripRules.ts"

/** A change with all of its consequences. It has no `entries` if it changes nothing. */
export interface DerivedChange {
  readonly before: Trip
  readonly after: Trip
  readonly entries: ReadonlyArray<NewTimelineEntry>
}

/** A new trip, and how it ended already; null if it has not. */
export interface CreatedTrip {
  readonly created: NewTrip
  readonly end: TripEnd | null
}

/** Makes the events of a trip, and those of a change. */
interface EventsOfTrips {
  readonly eventOf: (acting: ActingBusiness, type: EmittedEventType, trip: Trip) => Effect.Effect<DomainEvent>
  readonly eventsOf: (
    acting: ActingBusiness,
    change: DerivedChange
  ) => Effect.Effect<ReadonlyArray<DomainEvent>>
}

/** Builds `TripUnitOfWork.createAll`. */
export const makeCreateAll = Effect.fnUntraced(function* ({ eventOf, eventsOf }: EventsOfTrips) {
  const trips = yield* TripRepository
  const ids = yield* TripIds
  const timeline = yield* TimelineRepository
  const events = yield* EventLog

  return traced("TripUnitOfWork.createAll")(function* (
    acting: ActingBusiness,
    all: ReadonlyArray<CreatedTrip>
  ) {
    const now = yield* DateTime.now
    const { business_id, timezone } = acting
    const derived = yield* Effect.forEach(all, ({ created, end }) =>
      Effect.gen(function* () {
        const before = storedTrip(created, yield* ids.next, now)
        if (end === null) return { before, after: before, entries: [] }
        // A new trip has no fare yet that its end could change.
        const after = withTimestamps(before, yield* Effect.orDie(withStatus(before, end, "operator")), now)
        return { before, after, entries: timelineEntriesOf(before, after, timezone) }
      })
    )
    const stored = new Set(
      yield* trips.insertAll(
        business_id,
        derived.map(({ after }) => after)
      )
    )
    const made = derived.filter(({ before }) => stored.has(before.trip_id))
    yield* timeline.append(
      business_id,
      made.map(({ before, entries }) => ({
        tripId: before.trip_id,
        entries: [creationEntry(before), ...entries]
      })),
      now
    )
    const sent = yield* Effect.forEach(made, (change) =>
      Effect.gen(function* () {
        const created = yield* eventOf(acting, "trip.created", change.before)
        return [created, ...(change.entries.length === 0 ? [] : yield* eventsOf(acting, change))]
      })
    )
    yield* events.recordAll(sent.flat())
    return derived.map(({ before }) => (stored.has(before.trip_id) ? before.trip_id : null))
  })
})
