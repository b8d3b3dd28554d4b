/** Changing the offer of a quote, and pricing its items. */
import { Data, DateTime, Effect, Equal, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import { earlierResult, oncePerRequest } from "../../kernel/idempotency/CurrentRequestParts.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import {
  type Quote,
  quoteAt,
  type QuoteChanges,
  type QuotePricing,
  type QuoteRecord,
  quoteRecord
} from "./Quote.ts"
import { offerWithChanges } from "./QuoteDraft.ts"
import { makePriceItems } from "./QuotePrices.ts"
import { makeLockQuoteReferences } from "./QuoteReferences.ts"
import { QuoteRepository } from "./QuoteRepository.ts"
import { quoteMachine } from "./QuoteStatus.ts"
import { QuoteSteps } from "./QuoteSteps.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The offer was changed while its items were priced. */
class OfferChanged extends Data.TaggedError("OfferChanged") {}

/** Builds `Quotes.update` and `Quotes.price`. */
export const makeUpdateQuote = Effect.gen(function* () {
  const transaction = yield* Transaction
  const quotes = yield* QuoteRepository
  const steps = yield* QuoteSteps
  const lockReferences = yield* makeLockQuoteReferences
  const priceItems = yield* makePriceItems

  /** Stores another offer of a quote that is open. Its link stops working. */
  const storeOffer = (before: Quote, after: Quote) =>
    Effect.map(
      steps.store({ ...after, status: "draft", version: before.version + 1, token_hash: null }),
      quoteRecord
    )

  /** Fails unless the offer of the quote may change, which makes it a draft. */
  const requireOpen = ({ status }: Quote) =>
    status === "draft" ? Effect.void : quoteMachine.move(status, "draft", "operator")

  const update = traced("Quotes.update")(function* (
    acting: ActingBusiness,
    quoteId: QuoteId,
    changes: QuoteChanges,
    precondition: Precondition<QuoteRecord> = unconditional
  ) {
    return yield* atomically(transaction, function* () {
      const before = yield* steps.lock(acting, quoteId)
      yield* precondition(quoteRecord(before))
      if (Object.keys(changes).some((name) => name !== "notes")) yield* requireOpen(before)
      const missing = yield* lockReferences(acting, changes.customer_id, changes.items)
      const { issues, offer } = offerWithChanges(acting, before, changes, yield* DateTime.now)
      yield* refuseIssues([...missing.issues, ...issues, ...missing.ofItems])
      const after = { ...before, ...offer }
      if (Equal.equals(after, before)) return quoteRecord(before)
      const isSameOffer = Equal.equals({ ...after, notes: null }, { ...before, notes: null })
      return isSameOffer ? quoteRecord(yield* steps.store(after)) : yield* storeOffer(before, after)
    })
  })

  const price = traced("Quotes.price")(function* (
    acting: ActingBusiness,
    quoteId: QuoteId,
    pricing: QuotePricing
  ) {
    // The tariff may need a routing service, so the items are priced before the transaction, and again if the offer
    // changes meanwhile.
    for (;;) {
      const earlier = Option.getOrUndefined(yield* earlierResult<QuoteRecord>("price"))
      if (earlier !== undefined) return earlier
      const seen = yield* orNotFound("quote")(yield* quotes.find(acting.business_id, quoteId))
      yield* requireOpen(quoteAt(seen, yield* DateTime.now))
      const items = yield* priceItems(acting, seen, pricing)
      const stored = atomically(transaction, function* () {
        const before = yield* steps.lock(acting, quoteId)
        yield* requireOpen(before)
        if (before.version !== seen.version) return yield* new OfferChanged()
        return yield* storeOffer(before, { ...before, items })
      })
      const priced = yield* oncePerRequest("price", stored).pipe(
        Effect.catchTag("OfferChanged", () => Effect.undefined)
      )
      if (priced !== undefined) return priced
    }
  })

  return { update, price }
})
