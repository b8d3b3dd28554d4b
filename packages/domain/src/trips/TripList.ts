/** The list of a business's trips: its filters, its order, and two ways through it (specification, `GET /trips`). */
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { InvalidInput } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { CalendarDay, endOfDay, startOfDay } from "../kernel/time/WallClock.ts"
import { type Trip, tripRecord, type TripRecord } from "./Trip.ts"
import { PaymentStatus, TripStatus } from "./TripStatus.ts"

/** How many trips a page of the list holds (specification, Limits: fixed). */
export const tripsPerPage = 20

/** The filters of `GET /trips`. Days are days on the business's clock, both included. */
export const TripFilter = Schema.Struct({
  status: Schema.optionalKey(TripStatus),
  payment_status: Schema.optionalKey(PaymentStatus),
  filter: Schema.optionalKey(Schema.Literals(["upcoming", "previous"])),
  date_from: Schema.optionalKey(CalendarDay),
  date_to: Schema.optionalKey(CalendarDay)
})
export type TripFilter = typeof TripFilter.Type

/**
 * Which trips a list holds. All that is given must hold; `from` is inclusive, `before` exclusive. Ordered by pickup
 * time, then id: the latest first, or the soonest first. Deleted trips are in no list.
 */
export interface TripQuery {
  readonly status?: TripStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
  readonly customerId?: CustomerId | undefined
  readonly order: "soonest" | "latest"
}

/** A page of the list, and which one it is. */
export interface TripPage<A> extends Page<A> {
  readonly page: number
}

/**
 * The port that lists trips. Both give `nextCursor` where more follow.
 *
 * - `page`: a page of the business's trips; costs by the trips before it. Its total is counted unless `counted` is
 *   false.
 * - `after`: the page that follows a cursor, at the same cost at any depth, without a total; `None` for a text that
 *   is no cursor. Who goes on so sees every trip that stood in its place all the while, once.
 */
export class TripListRepository extends Context.Service<
  TripListRepository,
  {
    readonly page: (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      counted?: boolean
    ) => Effect.Effect<TripPage<Trip>>
    readonly after: (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) => Effect.Effect<Option.Option<TripPage<Trip>>>
  }
>()("@livery/domain/TripListRepository") {}

/**
 * For how long a list that was longer than is counted is taken to be so still: its total stays untold for a moment
 * longer than it might, and the longest lists cost the least.
 */
export const uncountedFor = Duration.seconds(10)

const rememberedAtMost = 10_000

/** A list by what it was asked for: an instant that moves with the clock is no other list. */
const listOf = (acting: ActingBusiness, filter: TripFilter) =>
  JSON.stringify([
    acting.business_id,
    acting.timezone,
    filter.status,
    filter.payment_status,
    filter.filter,
    filter.date_from,
    filter.date_to
  ])

const notACursor: FieldIssue = { field: "cursor", issue: "invalid" }

const later = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.max(left, right)

const earlier = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.min(left, right)

/** The query that a filter means at `now` on the clock of `timezone`. `upcoming` lists the soonest first. */
export const queryOf = (filter: TripFilter, now: DateTime.Utc, timezone: string): TripQuery => {
  const from = filter.date_from === undefined ? undefined : startOfDay(filter.date_from, timezone)
  const before = filter.date_to === undefined ? undefined : endOfDay(filter.date_to, timezone)
  return {
    status: filter.status,
    paymentStatus: filter.payment_status,
    from: filter.filter === "upcoming" ? later(from, now) : from,
    before: filter.filter === "previous" ? earlier(before, now) : before,
    order: filter.filter === "upcoming" ? "soonest" : "latest"
  }
}

/** Where in the list to begin: a page by its number, the first unless told; or behind a cursor. Not both. */
export interface TripListStart {
  readonly page?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * - `page`: a page of {@link tripsPerPage} of the business's trips. `InvalidInput` names days in the wrong order, what
 *   is no cursor, and a cursor beside a page number.
 */
export class TripList extends Context.Service<
  TripList,
  {
    readonly page: (
      acting: ActingBusiness,
      filter: TripFilter,
      start?: TripListStart
    ) => Effect.Effect<TripPage<TripRecord>, InvalidInput>
  }
>()("@livery/domain/TripList") {
  static readonly layer = Layer.effect(
    TripList,
    Effect.gen(function* () {
      const trips = yield* TripListRepository

      /** Which lists were longer than is counted, and until when nobody looks whether they still are. */
      const beyond = new Map<string, number>()

      const numbered = Effect.fnUntraced(function* (
        list: string,
        acting: ActingBusiness,
        query: TripQuery,
        page: number
      ) {
        const now = yield* Clock.currentTimeMillis
        const counted = (beyond.get(list) ?? 0) <= now
        const request = { page, perPage: tripsPerPage }
        const found = yield* trips.page(acting.business_id, query, request, counted)
        if (!counted) return found
        beyond.delete(list)
        if (found.total === undefined) {
          if (beyond.size >= rememberedAtMost) beyond.clear()
          beyond.set(list, now + Duration.toMillis(uncountedFor))
        }
        return found
      })

      const find = (acting: ActingBusiness, filter: TripFilter, query: TripQuery, start: TripListStart) =>
        start.cursor === undefined
          ? Effect.asSome(numbered(listOf(acting, filter), acting, query, start.page ?? 1))
          : trips.after(acting.business_id, query, start.cursor, tripsPerPage)

      const page = Effect.fn("TripList.page")(function* (
        acting: ActingBusiness,
        filter: TripFilter,
        start: TripListStart = {}
      ) {
        const { date_from, date_to } = filter
        const backwards = date_from !== undefined && date_to !== undefined && date_from > date_to
        const issues: ReadonlyArray<FieldIssue> = [
          ...(backwards ? [{ field: "date_to", issue: "out_of_range" as const }] : []),
          ...(start.cursor === undefined || start.page === undefined ? [] : [notACursor])
        ]
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        const query = queryOf(filter, yield* DateTime.now, acting.timezone)
        const found = yield* find(acting, filter, query, start)
        if (Option.isNone(found)) return yield* new InvalidInput({ issues: [notACursor] })
        return { ...found.value, items: found.value.items.map((trip) => tripRecord(trip, acting.timezone)) }
      })

      return TripList.of({ page })
    })
  )
}
