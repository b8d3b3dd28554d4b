/** The input of a batch of assignments: the drivers and cars of many trips, changed by one request. */
import { DateTime, Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { omittable } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CarId, TripId } from "../../kernel/Ids.ts"
import type { Trip } from "../trip/Trip.ts"
import { driverSetFields, driverSetIssues } from "./WantedDrivers.ts"

/** The most entries of a batch. */
const maxBatchEntries = 600

/**
 * An entry: the complete set of the trip's drivers (`driver_ids`, or `assignments` with cars), its car, or both. An absent
 * field leaves that part of the trip unchanged; a `car_id` of `null` removes the trip's car. `force` confirms the clashes
 * of this entry. With `if_version`, the trip must not have changed since a plan has seen it.
 */
export const BatchEntry = Schema.Struct({
  trip_id: TripId,
  ...driverSetFields,
  car_id: Schema.optionalKey(Schema.NullOr(CarId)),
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  if_version: omittable(
    Value.text(20).optional.annotate({
      description:
        "The version of the trip that a plan of assignments has seen. If the trip has changed since then, the whole batch is refused (`conflict`)."
    })
  )
})
export type BatchEntry = typeof BatchEntry.Type

/** The version of a trip: another one after each change. */
export const versionOf = ({ updated_at }: Pick<Trip, "updated_at">): string =>
  DateTime.toEpochMillis(updated_at).toString(36)

/** A batch: from 1 to {@link maxBatchEntries} entries. */
export const AssignmentBatch = listOf(BatchEntry, { least: 1, most: maxBatchEntries })
export type AssignmentBatch = typeof AssignmentBatch.Type

/** Issues that need only the entries: a trip may occur once, and each entry must change something. */
export const batchIssues = (batch: AssignmentBatch): ReadonlyArray<FieldIssue> => {
  const firstIndexes = new Map<TripId, number>()
  for (const [index, { trip_id }] of batch.entries())
    if (!firstIndexes.has(trip_id)) firstIndexes.set(trip_id, index)
  return batch.flatMap((entry, index): ReadonlyArray<FieldIssue> => [
    ...(firstIndexes.get(entry.trip_id) === index
      ? []
      : [{ field: `${index}.trip_id`, issue: "invalid" as const }]),
    ...(entry.driver_ids === undefined && entry.assignments === undefined && entry.car_id === undefined
      ? [{ field: `${index}.driver_ids`, issue: "required" as const }]
      : []),
    ...driverSetIssues(entry).map(({ field, issue }) => ({ field: `${index}.${field}`, issue }))
  ])
}
