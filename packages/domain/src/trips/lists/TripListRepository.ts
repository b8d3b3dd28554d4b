/** The port that lists trips. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Trip } from "../trip/Trip.ts"
import type { TripCriteria } from "./TripCriteria.ts"
import type { PaymentStatus, TripStatus } from "../trip/TripStatus.ts"

/**
 * The trips of a list: those that match every given field. `from` is inclusive, `before` exclusive. The order is by pickup
 * time, then by id; with `updatedSince`, by the instant of the last change, the earliest first, then by id. Deleted trips
 * are in no list.
 */
export interface TripQuery extends TripCriteria {
  readonly status?: TripStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly invoiced?: boolean | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
  readonly order: "soonest" | "latest"
}

/**
 * The most trips on which one request tests the filters that have no index in the order of the list. In a business of
 * 1,000,000 trips, a page that tests so many takes 9 to 27 ms in the median. A page that is not full by then ends there, and
 * its cursor continues.
 */
export const maxTripsTested = 2000

/** The most trips before a page that is asked for by its number: skipping that many takes about 15 ms. */
export const maxTripsSkipped = 100_000

/** The most trips of a search that can stand before the end of a page that is asked for by its number. */
export const maxTripsFound = 1000

/**
 * The most trips with the words of a search that are collected from the index of words, which has no order. Words that more
 * trips have are tested on each trip, as other filters are.
 */
export const maxTripsMatched = 10_000

/** How many trips may stand before a page that is asked for by its number. */
export const reachOf = ({ words }: TripQuery, { perPage }: PageRequest): number =>
  words === undefined ? maxTripsSkipped : maxTripsFound - perPage

/** The refusal of a page number too far into a list of trips. */
export const pageTooDeep = () =>
  new InvalidInput({
    issues: [{ field: "page", issue: "out_of_range" }],
    advice: "Follow next_cursor from the first page, or add date_from and date_to."
  })

/** A page of the list with its number. */
export interface TripPage<A> extends Page<A> {
  readonly page: number
}

/**
 * Both methods return `nextCursor` if more trips follow. A page of a list with filters that have no index can have fewer
 * trips than requested although more follow ({@link maxTripsTested}).
 *
 * - `page`: a page of the business's trips. {@link pageTooDeep} for a page number after more than {@link maxTripsSkipped}
 *   trips, after {@link maxTripsFound} matches of a search, or after a page that was not full.
 * - `after`: the page that follows a cursor, without a total; its cost is the same at any depth. `None` for a text that
 *   is not a cursor. Paging by cursors returns each trip whose place in the list stays the same exactly once.
 */
export class TripListRepository extends Context.Service<
  TripListRepository,
  {
    readonly page: (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest
    ) => Effect.Effect<TripPage<Trip>, InvalidInput>
    readonly after: (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) => Effect.Effect<Option.Option<TripPage<Trip>>>
  }
>()("@livery/domain/TripListRepository") {}
