/** The dispatch board: the jobs of a day with drivers, cars, positions and warnings (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { pageForReader } from "../../business/CurrentRole.ts"
import type { PageRequest } from "../../kernel/Page.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { endOfDay, instantOf, localDay, startOfDay } from "../../kernel/time/WallClock.ts"
import { boardJobRecord } from "./BoardJob.ts"
import { type BoardQuery, DispatchBoardRepository } from "./DispatchBoardRepository.ts"
import { tripCriteriaOf } from "./TripCriteria.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { BoardFilter } from "./BoardFilter.ts"

/** The issues with the time of a filter: `from` and `to` must come together, in this order, and without `date`. */
const timeRangeIssues = ({ date, from, to }: BoardFilter, timezone: string): ReadonlyArray<FieldIssue> => {
  if (from === undefined && to === undefined) return []
  if (date !== undefined) return [{ field: "date", issue: "invalid" }]
  if (from === undefined || to === undefined)
    return Object.entries({ from, to })
      .filter(([, at]) => at === undefined)
      .map(([field]) => ({ field, issue: "required" }))
  return DateTime.isLessThan(instantOf(from, timezone), instantOf(to, timezone))
    ? []
    : [{ field: "to", issue: "out_of_range" }]
}

/**
 * The query of a filter at `now` on the clock of `timezone`. A day has 23 or 25 hours when clocks change. Today's board
 * also holds the jobs under way and the overdue ones.
 */
export const boardQueryOf = (filter: BoardFilter, now: DateTime.Utc, timezone: string): BoardQuery => {
  const others = { ...tripCriteriaOf(filter, timezone), status: filter.status }
  if (filter.from !== undefined && filter.to !== undefined)
    return { ...others, from: instantOf(filter.from, timezone), before: instantOf(filter.to, timezone) }
  const today = localDay(now, timezone)
  const day = filter.date?.trim() ?? today
  return {
    ...others,
    from: startOfDay(day, timezone),
    before: endOfDay(day, timezone),
    now: day === today ? now : undefined
  }
}

export class DispatchBoard extends Context.Service<DispatchBoard>()("@livery/domain/DispatchBoard", {
  make: Effect.gen(function* () {
    const board = yield* DispatchBoardRepository

    return {
      /**
       * A page of the acting business's jobs of one day or between two instants, the soonest first. `InvalidInput`
       * unless `from` and `to` come together, in this order, and without `date`.
       */
      day: traced("DispatchBoard.day")(function* (
        { business_id, timezone }: ActingBusiness,
        filter: BoardFilter,
        page: PageRequest
      ) {
        yield* refuseIssues(timeRangeIssues(filter, timezone))
        const now = yield* DateTime.now
        const jobs = yield* board.jobs(business_id, boardQueryOf(filter, now, timezone), page)
        const { clashPolicy, turnaroundMinutes } = jobs
        const policy = { now, timezone, clashPolicy, turnaroundMinutes }
        return yield* pageForReader("operations", {
          items: jobs.items.map((job) => boardJobRecord(job, policy)),
          total: jobs.total,
          hasMore: jobs.hasMore
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DispatchBoard, DispatchBoard.make)
}
