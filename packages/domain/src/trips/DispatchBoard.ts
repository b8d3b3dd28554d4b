/** The dispatch board: a day's jobs with drivers, cars, positions and warnings (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { DriverId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { CalendarDay, endOfDay, startOfDay, wallClock } from "../kernel/time/WallClock.ts"
import { type BoardRecord, boardRecord } from "./BoardJob.ts"
import { type BoardQuery, DispatchBoardRepository } from "./DispatchBoardRepository.ts"
import { TripStatus } from "./TripStatus.ts"

/** The filters of the board. `date` is a day on the business's clock; default: today. */
export const BoardFilter = Schema.Struct({
  date: Schema.optionalKey(CalendarDay),
  status: Schema.optionalKey(TripStatus),
  driver_id: Schema.optionalKey(DriverId)
})
export type BoardFilter = typeof BoardFilter.Type

/** The query of a filter at `now` on the clock of `timezone`. A day has 23 or 25 hours when clocks change. */
export const boardQueryOf = (filter: BoardFilter, now: DateTime.Utc, timezone: string): BoardQuery => {
  const day = filter.date ?? wallClock(now, timezone).slice(0, 10)
  return {
    from: startOfDay(day, timezone),
    before: endOfDay(day, timezone),
    status: filter.status,
    driverId: filter.driver_id
  }
}

/** - `day`: a page of the acting business's jobs of one day, the soonest first. */
export class DispatchBoard extends Context.Service<
  DispatchBoard,
  {
    readonly day: (
      acting: ActingBusiness,
      filter: BoardFilter,
      page: PageRequest
    ) => Effect.Effect<Page<BoardRecord>>
  }
>()("@livery/domain/DispatchBoard") {
  static readonly layer = Layer.effect(
    DispatchBoard,
    Effect.gen(function* () {
      const board = yield* DispatchBoardRepository
      return DispatchBoard.of({
        day: Effect.fn("DispatchBoard.day")(function* (
          { business_id, timezone }: ActingBusiness,
          filter: BoardFilter,
          page: PageRequest
        ) {
          const now = yield* DateTime.now
          const found = yield* board.jobs(business_id, boardQueryOf(filter, now, timezone), page)
          const at = { now, timezone, policy: found.policy }
          return {
            items: found.items.map((job) => boardRecord(job, at)),
            total: found.total,
            hasMore: found.hasMore
          }
        })
      })
    })
  )
}
