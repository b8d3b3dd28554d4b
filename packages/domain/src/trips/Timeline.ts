/**
 * A trip's timeline: every change of it, who made it and when, with what was before and what is after. Its lines are
 * found by comparing the trip before and after, so that no path of a change can forget one.
 */
import { Context, type DateTime, type Effect, Equal, type Option, Schema } from "effect"
import type { BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import type { Assignment } from "./Assignment.ts"
import { type Trip, tripDriverRecord, tripRecord } from "./Trip.ts"

/** What can happen to a trip. Those about a driver name the driver. */
export const TripChange = Schema.Literals([
  "created",
  "updated",
  "status_changed",
  "driver_assigned",
  "driver_removed",
  "driver_status_changed",
  "milestone_reached",
  "deleted"
])
export type TripChange = typeof TripChange.Type

/** Fields of a record, under their names in answers. */
const Fields = Schema.Record(Schema.String, Schema.Unknown)
type Fields = typeof Fields.Type

/** A line that is about to be written. */
export interface NewTimelineEntry {
  readonly change: TripChange
  readonly driver_id: DriverId | null
  readonly before: Fields | null
  readonly after: Fields | null
}

/** A line as stored. `actor` is who made the change, as `CurrentActor` told. */
export interface TimelineEntry extends NewTimelineEntry {
  readonly change_id: number
  readonly at: DateTime.Utc
  readonly actor: string
}

/** A line in an answer. `before` and `after` hold the fields that changed, as a trip's record has them. */
export const TimelineRecord = Schema.Struct({
  change_id: Schema.Int,
  at: Schema.String,
  actor: Schema.String,
  change: TripChange,
  driver_id: Schema.NullOr(Schema.Int),
  before: Schema.NullOr(Fields),
  after: Schema.NullOr(Fields)
})
export type TimelineRecord = typeof TimelineRecord.Type

/** The record of a line. */
export const timelineRecord = (entry: TimelineEntry): TimelineRecord => ({
  change_id: entry.change_id,
  at: rfc3339(entry.at),
  actor: entry.actor,
  change: entry.change,
  driver_id: entry.driver_id,
  before: entry.before,
  after: entry.after
})

/** What is told beside a status, in the line about it. */
const ending: ReadonlySet<string> = new Set([
  "cancel_reason",
  "cancelled_by",
  "cancellation_fee",
  "cancelled_at",
  "completed_at"
])

/** What other lines tell, or what follows from what they tell. */
const elsewhere: ReadonlySet<string> = new Set([
  "status",
  "driver_status",
  "allowed_transitions",
  "pickup_at",
  "driver_ids",
  "drivers",
  "updated_at"
])

/** The names of what differs between two records. */
const differing = (before: Fields, after: Fields): ReadonlyArray<string> =>
  Object.keys(after).filter((field) => !Equal.equals(before[field], after[field]))

const picked = (record: Fields, fields: ReadonlyArray<string>): Fields =>
  Object.fromEntries(fields.map((field) => [field, record[field]]))

const linesOfFields = (before: Fields, after: Fields): ReadonlyArray<NewTimelineEntry> => {
  const line = (change: TripChange, fields: ReadonlyArray<string>): NewTimelineEntry => ({
    change,
    driver_id: null,
    before: picked(before, fields),
    after: picked(after, fields)
  })
  const fields = differing(before, after)
  const moved = fields.includes("status")
  const plain = fields.filter((field) => !elsewhere.has(field) && !(moved && ending.has(field)))
  return [
    ...(plain.length === 0 ? [] : [line("updated", plain)]),
    ...(moved ? [line("status_changed", ["status", ...fields.filter((field) => ending.has(field))])] : [])
  ]
}

const linesOfDriver = (
  before: Assignment | undefined,
  after: Assignment | undefined
): ReadonlyArray<NewTimelineEntry> => {
  const driver_id = after?.driver_id ?? before?.driver_id ?? null
  const status = (assignment: Assignment | undefined) => assignment && { status: assignment.status }
  const line = (change: TripChange, was: Fields | undefined, is: Fields | undefined): NewTimelineEntry => ({
    change,
    driver_id,
    before: was ?? null,
    after: is ?? null
  })
  if (after === undefined) return [line("driver_removed", status(before), { status: "cancelled" })]
  const known = new Set(before?.milestones.map(({ milestone }) => milestone))
  return [
    ...(before === undefined ? [line("driver_assigned", undefined, status(after))] : []),
    ...tripDriverRecord(after)
      .milestones.filter(({ milestone }) => !known.has(milestone))
      .map((reached) => line("milestone_reached", undefined, reached)),
    ...(before !== undefined && before.status !== after.status
      ? [line("driver_status_changed", status(before), status(after))]
      : [])
  ]
}

const deletion: NewTimelineEntry = { change: "deleted", driver_id: null, before: null, after: null }

/** The lines about what differs between a trip before and after, on the clock of `timezone`; none if nothing does. */
export const linesBetween = (
  before: Trip,
  after: Trip,
  timezone: string
): ReadonlyArray<NewTimelineEntry> => {
  const ids = new Set([...before.drivers, ...after.drivers].map(({ assignment_id }) => assignment_id))
  const of = (trip: Trip, id: Assignment["assignment_id"]) =>
    trip.drivers.find(({ assignment_id }) => assignment_id === id)
  return [
    ...[...ids].flatMap((id) => linesOfDriver(of(before, id), of(after, id))),
    ...linesOfFields(tripRecord(before, timezone), tripRecord(after, timezone)),
    ...(before.deleted_at === after.deleted_at ? [] : [deletion])
  ]
}

/**
 * The port that stores timelines. Lines are written in the transaction of the change, in the name of the
 * `CurrentActor`, and never change.
 *
 * - `append`: lines of a held trip, at that time.
 * - `list`: a page of a trip's lines, the oldest first; `None` if the business has no such trip, or had it deleted.
 */
export class Timeline extends Context.Service<
  Timeline,
  {
    readonly append: (
      businessId: BusinessId,
      tripId: TripId,
      entries: ReadonlyArray<NewTimelineEntry>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly list: (
      businessId: BusinessId,
      tripId: TripId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<TimelineEntry>>>
  }
>()("@livery/domain/Timeline") {}
