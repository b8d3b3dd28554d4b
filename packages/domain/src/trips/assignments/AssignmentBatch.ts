/** The input of a batch of assignments: the drivers and cars of many trips, changed by one request. */
import { Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { CarId, TripId } from "../../kernel/Ids.ts"
import { driverSetFields, driverSetIssues } from "./WantedDrivers.ts"

/** The most entries of a batch. */
const maxBatchEntries = 200

/**
 * An entry: the complete set of the trip's drivers (`driver_ids`, or `assignments` with cars), its car, or both. An absent
 * field leaves that part of the trip unchanged; a `car_id` of `null` removes the trip's car. `force` confirms the clashes
 * of this entry.
 */
export const BatchEntry = Schema.Struct({
  trip_id: TripId,
  ...driverSetFields,
  car_id: Schema.optionalKey(Schema.NullOr(CarId)),
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type BatchEntry = typeof BatchEntry.Type

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
