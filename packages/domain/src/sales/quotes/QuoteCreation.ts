/** Storing the draft of a quote. */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import { makeStoreWithReference } from "../../kernel/security/Reference.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { type QuoteInput, quoteRecord } from "./Quote.ts"
import { offerOfInput } from "./QuoteDraft.ts"
import { makeLockQuoteReferences } from "./QuoteReferences.ts"
import { QuoteRepository } from "./QuoteRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** Builds `Quotes.create`. */
export const makeCreateQuote = Effect.gen(function* () {
  const transaction = yield* Transaction
  const quotes = yield* QuoteRepository
  const cryptography = yield* Cryptography
  const lockReferences = yield* makeLockQuoteReferences

  const storeWithReference = makeStoreWithReference(cryptography, "QU")

  return traced("Quotes.create")(function* (acting: ActingBusiness, input: QuoteInput) {
    const { business_id } = acting
    const now = yield* DateTime.now
    return yield* atomically(transaction, function* () {
      const locked = yield* lockReferences(acting, input.customer_id, input.items)
      const { issues, offer } = offerOfInput(acting, input, locked.customer, now)
      // Without the customer, it is unknown whether a name is missing.
      yield* refuseIssues([...(locked.issues.length > 0 ? locked.issues : issues), ...locked.ofItems])
      const row = {
        ...offer,
        business_id,
        status: "draft" as const,
        version: 1,
        sent_at: null,
        accepted_at: null,
        accepted_by: null,
        accepted_address: null,
        rejected_at: null,
        reject_reason: null,
        converted_at: null,
        token_hash: null,
        created_at: now,
        updated_at: now
      }
      return quoteRecord(yield* storeWithReference((reference) => quotes.insert({ ...row, reference })))
    })
  })
})
