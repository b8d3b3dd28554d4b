/** The dispatch board: the jobs of a day with drivers, cars, positions and warnings (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { pageForReader } from "../../business/CurrentRole.ts"
import type { PageRequest } from "../../kernel/Page.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { endOfDay, instantOf, localDay, startOfDay } from "../../kernel/time/WallClock.ts"
import { type BoardCounts, boardCountsOf } from "./BoardCounts.ts"
import { boardJobRecord } from "./BoardJob.ts"
import {
  type BoardPage,
  type BoardQuery,
  boardTooLong,
  DispatchBoardRepository,
  maxJobsTested
} from "./DispatchBoardRepository.ts"
import { tripCriteriaOf } from "./TripCriteria.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { BoardFilter } from "./BoardFilter.ts"

/** The issues with the time of a filter: `from` and `to` must come together, in this order, and without `date`. */
export const timeRangeIssues = (
  { date, from, to }: Pick<BoardFilter, "date" | "from" | "to">,
  timezone: string
): ReadonlyArray<FieldIssue> => {
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

/** The records of a page at `now`. */
const recordsOf = (
  { clashPolicy, items, turnaroundMinutes }: BoardPage,
  now: DateTime.Utc,
  timezone: string
) => items.map((job) => boardJobRecord(job, { now, timezone, clashPolicy, turnaroundMinutes }))

/** Makes the function that reads all jobs of a board. `InvalidInput` if it has more than {@link maxJobsTested}. */
export const makeReadWholeBoard = Effect.map(DispatchBoardRepository, (board) =>
  Effect.fnUntraced(function* (
    { business_id, timezone }: ActingBusiness,
    filter: BoardFilter,
    now: DateTime.Utc
  ) {
    const jobs = yield* board.jobs(business_id, boardQueryOf(filter, now, timezone), {
      page: 1,
      perPage: maxJobsTested
    })
    return jobs.hasMore ? yield* boardTooLong() : recordsOf(jobs, now, timezone)
  })
)

export class DispatchBoard extends Context.Service<DispatchBoard>()("@livery/domain/DispatchBoard", {
  make: Effect.gen(function* () {
    const board = yield* DispatchBoardRepository
    const readWholeBoard = yield* makeReadWholeBoard

    return {
      /**
       * A page of the acting business's jobs of one day or between two instants, the soonest first. `InvalidInput`
       * unless `from` and `to` come together, in this order, and without `date`. It has the counts of the whole board if
       * the page has all of its jobs, and otherwise only with `isCounted`.
       */
      day: traced("DispatchBoard.day")(function* (
        acting: ActingBusiness,
        filter: BoardFilter,
        page: PageRequest,
        isCounted = false
      ) {
        const { business_id, timezone } = acting
        yield* refuseIssues(timeRangeIssues(filter, timezone))
        const now = yield* DateTime.now
        const jobs = yield* board.jobs(business_id, boardQueryOf(filter, now, timezone), page)
        const items = recordsOf(jobs, now, timezone)
        const isWhole = page.page === 1 && !jobs.hasMore
        const all = isWhole ? items : isCounted ? yield* readWholeBoard(acting, filter, now) : undefined
        const counts: BoardCounts | undefined = all === undefined ? undefined : boardCountsOf(all)
        return yield* pageForReader("operations", {
          items,
          total: jobs.total,
          hasMore: jobs.hasMore,
          counts
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DispatchBoard, DispatchBoard.make)
}
