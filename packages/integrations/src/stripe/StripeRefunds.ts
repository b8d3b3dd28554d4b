/** Refunds and disputes of card payments. */
import { AttemptSpent, type NewRefund, traced } from "@livery/domain"
import { Effect, Option } from "effect"
import { chargeable } from "./ChargeableAmounts.ts"
import type { StripeCall } from "./StripeCalls.ts"
import { withDomainErrors } from "./StripeFailures.ts"
import { readList, type RecordReaders, refundMetadata } from "./StripeRecords.ts"

/** The methods of `PaymentProvider` about refunds. */
export const stripeRefunds = (call: StripeCall, installation: string, readers: RecordReaders) => {
  const { readDispute, readRefund } = readers
  const refundsFor = (intentId: string) =>
    call(
      (stripe) => stripe.refunds.list({ payment_intent: intentId, limit: 100 }),
      (answer) =>
        Option.flatMap(readList(answer), ({ items }) => Option.all(items.map((item) => readRefund(item))))
    )

  /** Creates the refund. Fails with `kept` if Stripe repeats a failure that it saved under the key. */
  const create = (request: NewRefund, amount: number) =>
    call(
      (stripe) =>
        stripe.refunds.create(
          {
            amount,
            payment_intent: request.intent_id,
            metadata: refundMetadata(installation, request.key)
          },
          { idempotencyKey: `${installation}/refund/${request.key}` }
        ),
      readRefund
    )

  const refund = traced("PaymentProvider.refund")(function* (request: NewRefund) {
    const amount = yield* chargeable(request.amount, "refund another amount")
    return yield* create(request, amount).pipe(
      // A repeated answer shows the refund as it was when it was created.
      Effect.flatMap(({ replayed, value }) =>
        replayed
          ? call((stripe) => stripe.refunds.retrieve(value.refund_id), readRefund)
          : Effect.succeed({ value })
      ),
      Effect.map(({ value }) => value),
      // Stripe saves its own failure under the key for a day. It may have made the refund before it failed.
      Effect.catchIf(
        ({ kept }) => kept,
        () =>
          Effect.flatMap(refundsFor(request.intent_id), ({ value }) => {
            const made = value.find(({ key }) => key === request.key)
            return made === undefined ? Effect.fail(new AttemptSpent()) : Effect.succeed(made)
          })
      ),
      Effect.catchTag("StripeCallFailed", (failure) => Effect.fail(failure.meaning))
    )
  })

  const decidedDisputesFor = (intentId: string) =>
    call(
      (stripe) => stripe.disputes.list({ payment_intent: intentId, limit: 100 }),
      (answer) =>
        Option.map(readList(answer), ({ items }) =>
          items.flatMap((item) => Option.toArray(readDispute(item)))
        )
    )

  const refundsOf = traced("PaymentProvider.refundsOf")((intentId: string) =>
    Effect.all([refundsFor(intentId), decidedDisputesFor(intentId)], { concurrency: 2 }).pipe(
      Effect.map(([refunds, disputes]) => [...refunds.value, ...disputes.value]),
      withDomainErrors
    )
  )

  return { refund, refundsOf }
}
