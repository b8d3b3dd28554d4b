/** The ids of the complete set of a trip's drivers. */
import { check } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { DriverId } from "../../kernel/Ids.ts"

/** A trip has at most this many drivers. */
export const maxDriversPerTrip = 20

/** The most ids in a set, repeated ones included. */
const maxIdsPerSet = 5 * maxDriversPerTrip

/** The ids of the complete set of a trip's drivers, in any order; repeated ids count once. */
export const driverIdSet = listOf(DriverId, { most: maxIdsPerSet }).check(
  check<ReadonlyArray<number>>("too_long", (ids) => new Set(ids).size <= maxDriversPerTrip)
)
