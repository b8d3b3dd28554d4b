/** The steps that the use cases of operators and of customers share. All run inside of the caller's transaction. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { makeEvent } from "../../events/DomainEvent.ts"
import { EventLog } from "../../events/EventLog.ts"
import { orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import type { Mover } from "../../kernel/StateMachine.ts"
import { type Quote, quoteAt, quoteRecord } from "./Quote.ts"
import { issuesWithoutTrip } from "./QuoteItem.ts"
import { QuoteRepository } from "./QuoteRepository.ts"
import { quoteMachine } from "./QuoteStatus.ts"

/** The name of the person who accepted a quote, and the address that the request came from. */
export interface Acceptance {
  readonly name: string | null
  readonly address: string | null
}

export class QuoteSteps extends Context.Service<QuoteSteps>()("@livery/domain/QuoteSteps", {
  make: Effect.gen(function* () {
    const quotes = yield* QuoteRepository
    const events = yield* EventLog
    const cryptography = yield* Cryptography

    const store = Effect.fnUntraced(function* (quote: Quote) {
      const stored = { ...quote, updated_at: yield* DateTime.now }
      yield* quotes.update(stored)
      return stored
    })

    return {
      /** The acting business's quote as it is now, locked until the transaction ends. */
      lock: Effect.fnUntraced(function* ({ business_id }: ActingBusiness, quoteId: QuoteId) {
        const quote = yield* orNotFound("quote")(yield* quotes.lock(business_id, quoteId))
        return quoteAt(quote, yield* DateTime.now)
      }),

      /** Stores a locked quote and returns it. */
      store,

      /**
       * Accepts a locked quote, records the {@link Acceptance}, and sends `quote.accepted`. `InvalidInput` if no item
       * has a trip.
       */
      accept: Effect.fnUntraced(function* (
        { business_id }: ActingBusiness,
        quote: Quote,
        by: Mover,
        { address, name }: Acceptance
      ) {
        const status = yield* quoteMachine.move(quote.status, "accepted", by)
        yield* refuseIssues(issuesWithoutTrip(quote.items))
        const accepted = yield* store({
          ...quote,
          status,
          accepted_at: yield* DateTime.now,
          accepted_by: name,
          accepted_address: address
        })
        const event = makeEvent(business_id, "quote.accepted", quoteRecord(accepted))
        yield* events.record(yield* Effect.provideService(event, Cryptography, cryptography))
        return accepted
      }),

      /** Rejects a locked quote. */
      reject: Effect.fnUntraced(function* (quote: Quote, by: Mover, reason: string | null) {
        const status = yield* quoteMachine.move(quote.status, "rejected", by)
        return yield* store({ ...quote, status, rejected_at: yield* DateTime.now, reject_reason: reason })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(QuoteSteps, QuoteSteps.make)
}
