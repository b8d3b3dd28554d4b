/** The port that lists trips. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Trip } from "../trip/Trip.ts"
import type { TripCriteria } from "./TripCriteria.ts"
import type { PaymentStatus, TripStatus } from "../trip/TripStatus.ts"

/**
 * The trips of a list: those that match every given field. `from` is inclusive, `before` exclusive. The order is
 * by pickup time, then by id. Deleted trips are in no list.
 */
export interface TripQuery extends TripCriteria {
  readonly status?: TripStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
  readonly order: "soonest" | "latest"
}

/**
 * A search, `updatedSince` and a class that many cars have are tested on this many trips from the start of the list. If
 * their matches fill the page, further trips are read only to be counted.
 */
export const maxTripsTested = 500

/** A page of the list with its number. */
export interface TripPage<A> extends Page<A> {
  readonly page: number
}

/**
 * Both methods return `nextCursor` if more trips follow.
 *
 * - `page`: a page of the business's trips; its cost grows with the number of trips before it. The total is counted
 *   unless `counted` is false.
 * - `after`: the page that follows a cursor, without a total; its cost is the same at any depth. `None` for a text that
 *   is not a cursor. Paging by cursors returns each trip whose place in the list stays the same exactly once.
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
