/** The use cases of quotes (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { forReader, pageForReader } from "../../business/CurrentRole.ts"
import { ConfirmationRequired, Conflict, refuseIssues, orNotFound } from "../../kernel/Errors.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import type { PageRequest } from "../../kernel/Page.ts"
import { unconditional } from "../../kernel/Precondition.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { dayRangeIssues } from "../../kernel/time/DayRange.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { DeletionTerms } from "../../trips/trip/Deletion.ts"
import { type Quote, quoteAt, type QuoteRecord, quoteRecord } from "./Quote.ts"
import { makeBookTrips } from "./QuoteConversion.ts"
import { makeCreateQuote } from "./QuoteCreation.ts"
import { type QuoteFilter, quoteQueryOf } from "./QuoteFilter.ts"
import { QuoteRepository } from "./QuoteRepository.ts"
import { issuesWithoutTrip } from "./QuoteItem.ts"
import { isOpenQuote, quoteMachine } from "./QuoteStatus.ts"
import { type Acceptance, QuoteSteps } from "./QuoteSteps.ts"
import { makeUpdateQuote } from "./QuoteUpdate.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** A quote that was sent, and the token of the customer's link, which is not returned again. */
export interface SentQuote {
  readonly quote: QuoteRecord
  readonly token: Redacted.Redacted
}

/** The statuses whose quotes are deleted only after a confirmation. */
const confirmedDeletion: ReadonlySet<Quote["status"]> = new Set(["sent", "accepted", "converted"])

/**
 * `NotFound` if the quote is absent or another business's; `Conflict` if the precondition fails; `IllegalTransition`
 * if the status does not permit the step.
 */
export class Quotes extends Context.Service<Quotes>()("@livery/domain/Quotes", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const quotes = yield* QuoteRepository
    const { newToken } = yield* makeBusinessTokens
    const steps = yield* QuoteSteps
    const { price, update } = yield* makeUpdateQuote
    const bookTrips = yield* makeBookTrips

    return {
      /**
       * Stores a draft. `InvalidInput` for a customer that the business does not have, if neither the request nor the
       * customer has a name, for amounts with more decimals than the currency, and for a `valid_until` that has
       * passed.
       */
      create: yield* makeCreateQuote,

      /** The business's quotes, the newest first. `InvalidInput` for days in the wrong order. */
      list: traced("Quotes.list")(function* (
        { business_id, timezone }: ActingBusiness,
        filter: QuoteFilter,
        page: PageRequest
      ) {
        yield* refuseIssues(dayRangeIssues(filter))
        const now = yield* DateTime.now
        const records = yield* quotes.list(business_id, quoteQueryOf(filter, timezone), now, page)
        const items = records.items.map((quote) => quoteRecord(quoteAt(quote, now)))
        return yield* pageForReader("sales", { ...records, items })
      }),

      get: traced("Quotes.get")(function* ({ business_id }: ActingBusiness, quoteId: QuoteId) {
        const quote = yield* orNotFound("quote")(yield* quotes.find(business_id, quoteId))
        return yield* forReader("sales", quoteRecord(quoteAt(quote, yield* DateTime.now)))
      }),

      /**
       * Changes the offer. A sent quote becomes a draft, and its link stops working. Of a quote that was answered or
       * has expired, only the notes can change.
       */
      update,

      /** Prices the items, by the fare engine or with given amounts; otherwise like `update`. */
      price,

      /**
       * Makes the customer's link. `InvalidInput` if an item has no amount, or if no item has a trip. A quote that was
       * sent before gets a new link, and the former one stops working.
       */
      send: traced("Quotes.send")(function* (acting: ActingBusiness, quoteId: QuoteId) {
        return yield* atomically(transaction, function* () {
          const before = yield* steps.lock(acting, quoteId)
          if (before.status !== "sent") yield* quoteMachine.move(before.status, "sent", "operator")
          yield* refuseIssues([
            ...issuesWithoutTrip(before.items),
            ...before.items.flatMap(({ amount_minor }, index) =>
              amount_minor === null ? [{ field: `items.${index}.amount`, issue: "required" as const }] : []
            )
          ])
          const { token, tokenHash } = yield* newToken("quote", acting.business_id)
          const sent = yield* steps.store({
            ...before,
            status: "sent",
            sent_at: yield* DateTime.now,
            token_hash: tokenHash
          })
          return { quote: quoteRecord(sent), token: Redacted.make(token) }
        })
      }),

      /** The customer accepts, as the operator reports it. */
      accept: traced("Quotes.accept")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        acceptance: Acceptance
      ) {
        return yield* transaction.run(
          Effect.flatMap(steps.lock(acting, quoteId), (quote) =>
            Effect.map(steps.accept(acting, quote, "operator", acceptance), quoteRecord)
          )
        )
      }),

      /** The customer declines, as the operator reports it. */
      reject: traced("Quotes.reject")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        reason: string | null
      ) {
        return yield* transaction.run(
          Effect.flatMap(steps.lock(acting, quoteId), (quote) =>
            Effect.map(steps.reject(quote, "operator", reason), quoteRecord)
          )
        )
      }),

      /**
       * Books the trips of the quote in one transaction; a quote that is not accepted yet is accepted in the same one.
       * `Conflict` if it was converted before. Fails as booking a trip does.
       */
      convert: traced("Quotes.convert")(function* (acting: ActingBusiness, quoteId: QuoteId, force: boolean) {
        return yield* atomically(transaction, function* () {
          const before = yield* steps.lock(acting, quoteId)
          if (before.status === "converted")
            return yield* new Conflict({ reason: "The quote was converted to trips already" })
          const accepted = isOpenQuote(before.status)
            ? yield* steps.accept(acting, before, "operator", { name: null, address: null })
            : before
          const status = yield* quoteMachine.move(accepted.status, "converted", "operator")
          const trip_ids = yield* bookTrips(acting, accepted, force)
          yield* quotes.addTrips(acting.business_id, quoteId, trip_ids)
          const converted = { ...accepted, status, trip_ids, converted_at: yield* DateTime.now }
          return quoteRecord(yield* steps.store(converted))
        })
      }),

      /** Deletes a quote; its trips stay. `ConfirmationRequired` if it was sent, accepted or converted. */
      remove: traced("Quotes.remove")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        { force = false, precondition = unconditional }: DeletionTerms<QuoteRecord> = {}
      ) {
        return yield* atomically(transaction, function* () {
          const quote = yield* steps.lock(acting, quoteId)
          const last = quoteRecord(quote)
          yield* precondition(last)
          if (confirmedDeletion.has(quote.status) && !force)
            return yield* new ConfirmationRequired({
              reason: `The quote is ${quote.status}`,
              atStake: [{ type: "quote", quote_id: quoteId, status: quote.status }]
            })
          yield* quotes.remove(acting.business_id, quoteId, yield* DateTime.now)
          return last
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Quotes, Quotes.make).pipe(Layer.provide(QuoteSteps.layer))
}
