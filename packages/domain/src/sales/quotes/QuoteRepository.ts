/** The port that stores quotes. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, QuoteId, TripId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Quote } from "./Quote.ts"
import type { QuoteQuery } from "./QuoteFilter.ts"

/** A quote that is not stored yet. It has no trips. */
export type NewQuote = Omit<Quote, "quote_id" | "trip_ids">

/**
 * No method returns a deleted quote. A quote is returned with its stored status; `quoteAt` applies its expiry.
 *
 * - `insert`: stores a quote; `None` if the business has one with that reference.
 * - `list`: a page of the quotes, the newest first. The filter of the status counts quotes that are due at `now` as
 *   expired.
 * - `find`: the business's quote with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the quote until the transaction ends.
 * - `findByToken`: the business's quote with that hash of a token.
 * - `update`: stores the fields of a locked quote, except for its trips.
 * - `addTrips`: stores the trips that a locked quote was converted to.
 * - `remove`: deletes a locked quote.
 * - `expireDue`: marks at most `limit` open quotes of any business as expired whose `valid_until` is at or before `now`,
 *   and returns their number. It skips quotes that are locked.
 */
export class QuoteRepository extends Context.Service<
  QuoteRepository,
  {
    readonly insert: (quote: NewQuote) => Effect.Effect<Option.Option<Quote>>
    readonly list: (
      businessId: BusinessId,
      query: QuoteQuery,
      now: DateTime.Utc,
      page: PageRequest
    ) => Effect.Effect<Page<Quote>>
    readonly find: (businessId: BusinessId, quoteId: QuoteId) => Effect.Effect<Option.Option<Quote>>
    readonly lock: (businessId: BusinessId, quoteId: QuoteId) => Effect.Effect<Option.Option<Quote>>
    readonly findByToken: (businessId: BusinessId, tokenHash: string) => Effect.Effect<Option.Option<Quote>>
    readonly update: (quote: Quote) => Effect.Effect<void>
    readonly addTrips: (
      businessId: BusinessId,
      quoteId: QuoteId,
      tripIds: ReadonlyArray<TripId>
    ) => Effect.Effect<void>
    readonly remove: (businessId: BusinessId, quoteId: QuoteId, now: DateTime.Utc) => Effect.Effect<void>
    readonly expireDue: (now: DateTime.Utc, limit: number) => Effect.Effect<number>
  }
>()("@livery/domain/QuoteRepository") {}
