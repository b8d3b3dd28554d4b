/** The list of a business's trips: its filters, and paging by number or by cursor (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { pageForReader } from "../../business/CurrentRole.ts"
import { InvalidInput, refuseIssues } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { dayRangeIssues, dayRangeOf } from "../../kernel/time/DayRange.ts"
import { tripRecord } from "../trip/Trip.ts"
import { tripCriteriaOf } from "./TripCriteria.ts"
import { TripListRepository, type TripQuery } from "./TripListRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { TripFilter } from "./TripFilter.ts"

/** The number of trips on a page; callers cannot change it. */
export const tripsPerPage = 20

const invalidCursor: FieldIssue = { field: "cursor", issue: "invalid" }

/** The later of two instants, the first of which may be absent. */
const later = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.max(left, right)

/** The earlier of two instants, the first of which may be absent. */
const earlier = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.min(left, right)

/** The query of a filter at `now` on the clock of `timezone`. `upcoming` lists the soonest first. */
export const queryOf = (filter: TripFilter, now: DateTime.Utc, timezone: string): TripQuery => {
  const { before, from } = dayRangeOf(filter, timezone)
  return {
    ...tripCriteriaOf(filter, timezone),
    status: filter.status,
    paymentStatus: filter.payment_status,
    invoiced: filter.invoiced,
    from: filter.filter === "upcoming" ? later(from, now) : from,
    before: filter.filter === "previous" ? earlier(before, now) : before,
    order: filter.filter === "upcoming" ? "soonest" : "latest"
  }
}

/** The start of a page: its number (default 1) or the cursor of the page before, not both. */
export interface TripListStart {
  readonly page?: number | undefined
  readonly cursor?: string | undefined
}

export class TripList extends Context.Service<TripList>()("@livery/domain/TripList", {
  make: Effect.gen(function* () {
    const trips = yield* TripListRepository

    const find = ({ business_id }: ActingBusiness, query: TripQuery, { cursor, page = 1 }: TripListStart) =>
      cursor === undefined
        ? Effect.asSome(trips.page(business_id, query, { page, perPage: tripsPerPage }))
        : trips.after(business_id, query, cursor, tripsPerPage)

    const page = traced("TripList.page")(function* (
      acting: ActingBusiness,
      filter: TripFilter,
      start: TripListStart = {}
    ) {
      const issues: ReadonlyArray<FieldIssue> = [
        ...dayRangeIssues(filter),
        ...(start.cursor === undefined || start.page === undefined ? [] : [invalidCursor])
      ]
      yield* refuseIssues(issues)
      const query = queryOf(filter, yield* DateTime.now, acting.timezone)
      const records = yield* find(acting, query, start)
      if (Option.isNone(records)) return yield* new InvalidInput({ issues: [invalidCursor] })
      const items = records.value.items.map((trip) => tripRecord(trip, acting.timezone))
      return yield* pageForReader("operations", { ...records.value, items })
    })

    return {
      /**
       * A page of {@link tripsPerPage} of the business's trips. `InvalidInput` for days in the wrong order, an invalid
       * cursor, a cursor together with a page number, and a page number that `TripListRepository` refuses.
       */
      page
    }
  })
}) {
  static readonly layer = Layer.effect(TripList, TripList.make)
}
