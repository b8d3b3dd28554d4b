/** The use cases of a customer who has the link of a quote (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { ActingBusiness, isSuspended } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { NotFound, orNotFound } from "../kernel/Errors.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeCustomerEmails } from "./emails/CustomerEmails.ts"
import { quoteEmailData } from "./emails/SalesEmails.ts"
import { publicQuoteRecord, type Quote, quoteAt, quoteRecord } from "./quotes/Quote.ts"
import { QuoteRepository } from "./quotes/QuoteRepository.ts"
import { QuoteSteps } from "./quotes/QuoteSteps.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * `NotFound` if the token was never valid, the quote was priced or sent again since, or the business is suspended;
 * `IllegalTransition` if the quote was answered already or has expired; `InvalidInput` if no item has a trip.
 */
export class PublicQuotes extends Context.Service<PublicQuotes>()("@livery/domain/PublicQuotes", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const quotes = yield* QuoteRepository
    const businesses = yield* BusinessRepository
    const cryptography = yield* Cryptography
    const { businessOfToken } = yield* makeBusinessTokens
    const steps = yield* QuoteSteps
    const withEmail = yield* makeCustomerEmails

    const notFound = new NotFound({ resource: "quote" })

    const linked = Effect.fnUntraced(function* (token: Redacted.Redacted) {
      const text = Redacted.value(token)
      const businessId = Option.getOrUndefined(yield* businessOfToken("quote", text))
      if (businessId === undefined) return yield* notFound
      const tokenHash = yield* cryptography.sha256(text)
      const quote = Option.getOrUndefined(yield* quotes.findByToken(businessId, tokenHash))
      const business = Option.getOrUndefined(yield* businesses.find(businessId))
      if (quote === undefined || business === undefined || isSuspended(business)) return yield* notFound
      const brand = yield* orNotFound("quote")(yield* businesses.brand(businessId))
      return { acting: { ...ActingBusiness.make(business), brand }, quote, tokenHash }
    })

    /** Answers the quote of a token, which is locked and still has that token. */
    const answer = <E>(
      token: Redacted.Redacted,
      answered: (acting: ActingBusiness, quote: Quote) => Effect.Effect<Quote, E>
    ) =>
      atomically(transaction, function* () {
        const { acting, quote, tokenHash } = yield* linked(token)
        const locked = yield* steps.lock(acting, quote.quote_id)
        // The quote may have been priced again while the lock was awaited.
        if (locked.token_hash !== tokenHash) return yield* notFound
        return { acting, quote: yield* answered(acting, locked) }
      })

    return {
      /** The quote of a link. */
      read: traced("PublicQuotes.read")(function* (token: Redacted.Redacted) {
        const { acting, quote } = yield* linked(token)
        return publicQuoteRecord(quoteAt(quote, yield* DateTime.now), acting)
      }),

      /**
       * Accepts the quote, records the name and the address with the time, sends `quote.accepted`, and emails the
       * customer if the business has an email credit.
       */
      accept: traced("PublicQuotes.accept")(function* (
        token: Redacted.Redacted,
        by: { readonly name: string; readonly address: string }
      ) {
        const { acting } = yield* linked(token)
        const { quote } = yield* withEmail(
          acting,
          {
            kind: "quote_accepted",
            isRequired: false,
            recipientOf: ({ quote }) => quote.customer_email,
            about: ({ quote }) => quoteEmailData(quoteRecord(quote))
          },
          answer(token, (business, locked) => steps.accept(business, locked, "customer", by))
        ).pipe(
          // The acceptance of a customer does not depend on the business's credits.
          Effect.catchTag("UsageLimitReached", Effect.die)
        )
        return publicQuoteRecord(quote, acting)
      }),

      /** Rejects the quote. */
      reject: traced("PublicQuotes.reject")(function* (token: Redacted.Redacted, reason: string | null) {
        const { acting, quote } = yield* answer(token, (_, locked) =>
          steps.reject(locked, "customer", reason)
        )
        return publicQuoteRecord(quote, acting)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PublicQuotes, PublicQuotes.make).pipe(Layer.provide(QuoteSteps.layer))
}
