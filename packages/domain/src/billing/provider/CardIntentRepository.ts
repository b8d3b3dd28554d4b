/** The port that stores the payment intents of invoices. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { CardIntent } from "./CardIntent.ts"

/** The position of an intent in the order of businesses and identifiers. */
export type CardIntentPosition = readonly [businessId: BusinessId, intentId: string]

/**
 * - `open`: the intents of an invoice that have not ended, the oldest first.
 * - `find`: a stored intent, also one that has ended.
 * - `openOfAll`: at most `limit` intents of all businesses that have not ended and were created since a time, by business and
 *   identifier, after a position.
 * - `ended`: how many intents of that invoice and amount have ended, by payment or cancellation.
 * - `spentAttempts`: how many attempts of a change were spent: the provider failed, and keeps the failure as the result of the
 *   attempt. `change` names the creation of an intent for the invoice, or one refund.
 * - `spendAttempt`: raises `spentAttempts` to one more than the given number, unless it is as high already.
 * - `keepReference`: stores the reference of a refund that is going to be requested, by the name of the refund.
 * - `referenceOf`: the reference of a refund; null without one.
 * - `add`: stores an intent; no change if it is stored already.
 * - `end`: marks an intent as one that can no longer be paid. No change if it is unknown.
 * - `recordNotice`: stores the id of a notice's event; false if it was stored before. A concurrent call with the same
 *   `eventId` waits for the end of the transaction.
 */
export class CardIntentRepository extends Context.Service<
  CardIntentRepository,
  {
    readonly open: (businessId: BusinessId, invoiceId: InvoiceId) => Effect.Effect<ReadonlyArray<CardIntent>>
    readonly find: (businessId: BusinessId, intentId: string) => Effect.Effect<Option.Option<CardIntent>>
    readonly openOfAll: (
      since: DateTime.Utc,
      after: CardIntentPosition | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CardIntent>>
    readonly ended: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      amountMinor: number
    ) => Effect.Effect<number>
    readonly spentAttempts: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      change: string
    ) => Effect.Effect<number>
    readonly spendAttempt: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      change: string,
      spent: number
    ) => Effect.Effect<void>
    readonly keepReference: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      refund: string,
      reference: string
    ) => Effect.Effect<void>
    readonly referenceOf: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      refund: string
    ) => Effect.Effect<string | null>
    readonly add: (intent: CardIntent, now: DateTime.Utc) => Effect.Effect<void>
    readonly end: (businessId: BusinessId, intentId: string, now: DateTime.Utc) => Effect.Effect<void>
    readonly recordNotice: (
      businessId: BusinessId,
      eventId: string,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
  }
>()("@livery/domain/CardIntentRepository") {}
