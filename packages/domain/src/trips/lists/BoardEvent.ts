/** What a follower of the dispatch board receives, and the events that lead from one state of a board to the next. */
import { Schema } from "effect"
import { type BoardCounts, boardCountsOf } from "./BoardCounts.ts"
import { type BoardJobRecord, BoardPositionRecord } from "./BoardJob.ts"

/** Why the follower has to read the board: its stream starts, or it missed events that are not kept. */
export const BoardGap = Schema.Struct({ reason: Schema.Literals(["start", "missed"]) })

/** The last position of a driver of a job; null if it is not known any more. */
export const BoardPositionChange = Schema.Struct({
  trip_id: Schema.Int,
  driver_id: Schema.Int,
  position: BoardPositionRecord
})
export type BoardPositionChange = typeof BoardPositionChange.Type

/** A job that is not on the board any more. */
export const BoardLeaving = Schema.Struct({ trip_id: Schema.Int })

/** What happened on a board, with the data that a follower receives. */
export type BoardEvent =
  | { readonly event: "gap"; readonly data: typeof BoardGap.Type }
  | { readonly event: "trip" | "assignment"; readonly data: BoardJobRecord }
  | { readonly event: "position"; readonly data: BoardPositionChange }
  | { readonly event: "gone"; readonly data: typeof BoardLeaving.Type }
  | { readonly event: "counts"; readonly data: BoardCounts }

/** A board as it was read: its jobs by trip. */
export type BoardState = ReadonlyMap<number, BoardJobRecord>

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const withoutPositions = (job: BoardJobRecord) =>
  job.drivers.map(({ position: _position, ...driver }) => driver)

/** The positions that differ between two states of a job with the same drivers. */
const movesOf = (before: BoardJobRecord, after: BoardJobRecord): ReadonlyArray<BoardEvent> =>
  after.drivers.flatMap(({ driver_id, position }, index) =>
    isEqual(before.drivers[index]?.position, position)
      ? []
      : [{ event: "position", data: { trip_id: after.trip_id, driver_id, position } } as const]
  )

const changesOfJob = (
  before: BoardJobRecord | undefined,
  after: BoardJobRecord
): ReadonlyArray<BoardEvent> => {
  if (before === undefined) return [{ event: "trip", data: after }]
  if (isEqual(before, after)) return []
  const hasSameStaff =
    isEqual(withoutPositions(before), withoutPositions(after)) && isEqual(before.car, after.car)
  if (!hasSameStaff) return [{ event: "assignment", data: after }]
  const isSameTrip = isEqual({ ...before, drivers: [] }, { ...after, drivers: [] })
  return isSameTrip ? movesOf(before, after) : [{ event: "trip", data: after }]
}

/** The events that lead from one state of a board to the next: leaving jobs first, then changed ones, then the counts. */
export const boardEventsBetween = (before: BoardState, after: BoardState): ReadonlyArray<BoardEvent> => {
  const gone = [...before.keys()]
    .filter((tripId) => !after.has(tripId))
    .map((trip_id) => ({ event: "gone", data: { trip_id } }) as const)
  const changed = [...after].flatMap(([tripId, job]) => changesOfJob(before.get(tripId), job))
  const counts = boardCountsOf([...after.values()])
  return [
    ...gone,
    ...changed,
    ...(isEqual(boardCountsOf([...before.values()]), counts)
      ? []
      : [{ event: "counts", data: counts } as const])
  ]
}
