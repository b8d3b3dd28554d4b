/** The use cases of quotes (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { forReader, pageForReader } from "../../business/CurrentRole.ts"
import {
  ConfirmationRequired,
  Conflict,
  type InvalidInput,
  refuseIssues,
  type NotFound,
  orNotFound
} from "../../kernel/Errors.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { newBusinessToken } from "../../kernel/security/BusinessToken.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import type { IllegalTransition } from "../../kernel/StateMachine.ts"
import { dayRangeIssues } from "../../kernel/time/DayRange.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import type { DeletionTerms } from "../../trips/trip/Deletion.ts"
import {
  type Quote,
  quoteAt,
  type QuoteChanges,
  type QuoteInput,
  type QuotePricing,
  type QuoteRecord,
  quoteRecord
} from "./Quote.ts"
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
 * - `create`: stores a draft. `InvalidInput` for a customer that the business does not have, if neither the request
 *   nor the customer has a name, for amounts with more decimals than the currency, and for a `valid_until` that has
 *   passed.
 * - `list`, `get`: the business's quotes, the newest first, and one of them. `InvalidInput` for days in the wrong order.
 * - `update`: changes the offer. A sent quote becomes a draft, and its link stops working. Of a quote that was
 *   answered or has expired, only the notes can change.
 * - `price`: prices the items, by the fare engine or with given amounts; otherwise like `update`.
 * - `send`: makes the customer's link. `InvalidInput` if an item has no amount, or if no item has a trip. A quote that
 *   was sent before gets a new link, and the former one stops working.
 * - `accept`, `reject`: the customer's answer, as the operator reports it.
 * - `convert`: books the trips of the quote in one transaction; a quote that is not accepted yet is accepted in the
 *   same one. `Conflict` if it was converted before. Fails as booking a trip does.
 * - `remove`: deletes a quote; its trips stay. `ConfirmationRequired` if it was sent, accepted or converted.
 *
 * `NotFound` if the quote is absent or another business's; `Conflict` if the precondition fails;
 * `IllegalTransition` if the status does not permit the step.
 */
export class Quotes extends Context.Service<
  Quotes,
  {
    readonly create: (acting: ActingBusiness, input: QuoteInput) => Effect.Effect<QuoteRecord, InvalidInput>
    readonly list: (
      acting: ActingBusiness,
      filter: QuoteFilter,
      page: PageRequest
    ) => Effect.Effect<Page<QuoteRecord>, InvalidInput>
    readonly get: (acting: ActingBusiness, quoteId: QuoteId) => Effect.Effect<QuoteRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      changes: QuoteChanges,
      precondition?: Precondition<QuoteRecord>
    ) => Effect.Effect<QuoteRecord, NotFound | Conflict | InvalidInput | IllegalTransition>
    readonly price: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      pricing: QuotePricing
    ) => Effect.Effect<QuoteRecord, NotFound | InvalidInput | IllegalTransition>
    readonly send: (
      acting: ActingBusiness,
      quoteId: QuoteId
    ) => Effect.Effect<SentQuote, NotFound | InvalidInput | IllegalTransition>
    readonly accept: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      acceptance: Acceptance
    ) => Effect.Effect<QuoteRecord, NotFound | InvalidInput | IllegalTransition>
    readonly reject: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      reason: string | null
    ) => Effect.Effect<QuoteRecord, NotFound | IllegalTransition>
    readonly convert: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      force: boolean
    ) => Effect.Effect<
      QuoteRecord,
      NotFound | InvalidInput | IllegalTransition | Conflict | ConfirmationRequired
    >
    readonly remove: (
      acting: ActingBusiness,
      quoteId: QuoteId,
      terms?: DeletionTerms<QuoteRecord>
    ) => Effect.Effect<QuoteRecord, NotFound | Conflict | ConfirmationRequired>
  }
>()("@livery/domain/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const quotes = yield* QuoteRepository
      const cryptography = yield* Cryptography
      const steps = yield* QuoteSteps
      const create = yield* makeCreateQuote
      const { price, update } = yield* makeUpdateQuote
      const bookTrips = yield* makeBookTrips

      const list = traced("Quotes.list")(function* (
        { business_id, timezone }: ActingBusiness,
        filter: QuoteFilter,
        page: PageRequest
      ) {
        yield* refuseIssues(dayRangeIssues(filter))
        const now = yield* DateTime.now
        const records = yield* quotes.list(business_id, quoteQueryOf(filter, timezone), now, page)
        const items = records.items.map((quote) => quoteRecord(quoteAt(quote, now)))
        return yield* pageForReader("sales", { ...records, items })
      })

      const get = traced("Quotes.get")(function* ({ business_id }: ActingBusiness, quoteId: QuoteId) {
        const quote = yield* orNotFound("quote")(yield* quotes.find(business_id, quoteId))
        return yield* forReader("sales", quoteRecord(quoteAt(quote, yield* DateTime.now)))
      })

      const send = traced("Quotes.send")(function* (acting: ActingBusiness, quoteId: QuoteId) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* steps.lock(acting, quoteId)
            if (before.status !== "sent") yield* quoteMachine.move(before.status, "sent", "operator")
            yield* refuseIssues([
              ...issuesWithoutTrip(before.items),
              ...before.items.flatMap(({ amount_minor }, index) =>
                amount_minor === null ? [{ field: `items.${index}.amount`, issue: "required" as const }] : []
              )
            ])
            const { token, tokenHash } = yield* Effect.provideService(
              newBusinessToken("quote", acting.business_id),
              Cryptography,
              cryptography
            )
            const sent = yield* steps.store({
              ...before,
              status: "sent",
              sent_at: yield* DateTime.now,
              token_hash: tokenHash
            })
            return { quote: quoteRecord(sent), token: Redacted.make(token) }
          })
        )
      })

      const accept = traced("Quotes.accept")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        acceptance: Acceptance
      ) {
        return yield* transaction.run(
          Effect.flatMap(steps.lock(acting, quoteId), (quote) =>
            Effect.map(steps.accept(acting, quote, "operator", acceptance), quoteRecord)
          )
        )
      })

      const reject = traced("Quotes.reject")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        reason: string | null
      ) {
        return yield* transaction.run(
          Effect.flatMap(steps.lock(acting, quoteId), (quote) =>
            Effect.map(steps.reject(quote, "operator", reason), quoteRecord)
          )
        )
      })

      const convert = traced("Quotes.convert")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        force: boolean
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
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
        )
      })

      const remove = traced("Quotes.remove")(function* (
        acting: ActingBusiness,
        quoteId: QuoteId,
        { force = false, precondition = unconditional }: DeletionTerms<QuoteRecord> = {}
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
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
        )
      })

      return Quotes.of({ create, list, get, update, price, send, accept, reject, convert, remove })
    })
  ).pipe(Layer.provide(QuoteSteps.layer))
}
