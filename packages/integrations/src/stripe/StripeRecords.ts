/** Converts Stripe's records to the domain's. */
import {
  BusinessId,
  InvoiceId,
  type NoticeSubject,
  type PaidInvoice,
  type PaymentIntentStatus,
  type PaymentNotice,
  type ProviderIntent,
  type ProviderRefund,
  type ProviderRefundStatus,
  type ProviderSubscription,
  type SubscriptionItem
} from "@livery/domain"
import { DateTime, Option, Redacted, Schema } from "effect"
import { fromApiAmount } from "./StripeAmounts.ts"

const Metadata = Schema.Record(Schema.String, Schema.String)
const NullableText = Schema.optionalKey(Schema.NullOr(Schema.String))

const Intent = Schema.Struct({
  object: Schema.Literal("payment_intent"),
  id: Schema.String,
  status: Schema.String,
  amount: Schema.Int,
  amount_received: Schema.Int,
  currency: Schema.String,
  client_secret: NullableText,
  metadata: Schema.optionalKey(Metadata),
  last_payment_error: Schema.optionalKey(Schema.NullOr(Schema.Struct({ message: NullableText }))),
  created: Schema.Int
})

/** A paid intent that was requested with its charge. */
const WithCharge = Schema.Struct({
  status: Schema.Literal("succeeded"),
  latest_charge: Schema.Struct({ created: Schema.Int })
})

const Refund = Schema.Struct({
  object: Schema.Literal("refund"),
  id: Schema.String,
  status: Schema.NullOr(Schema.String),
  amount: Schema.Int,
  currency: Schema.String,
  payment_intent: Schema.NullOr(Schema.String),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)),
  created: Schema.Int
})

/** A dispute: the customer had the bank take a payment back. Its own metadata do not name an installation. */
const Dispute = Schema.Struct({
  object: Schema.Literal("dispute"),
  id: Schema.String,
  status: Schema.String,
  amount: Schema.Int,
  currency: Schema.String,
  payment_intent: Schema.NullOr(Schema.String),
  created: Schema.Int
})

const Item = Schema.Struct({
  object: Schema.Literal("subscription_item"),
  id: Schema.String,
  // Absent for products that are billed by use.
  quantity: Schema.optionalKey(Schema.Int)
})

const Subscription = Schema.Struct({
  object: Schema.Literal("subscription"),
  id: Schema.String,
  status: Schema.String,
  items: Schema.Struct({ data: Schema.Array(Item) })
})

/** An invoice of Stripe for a subscription. */
const SubscriptionInvoice = Schema.Struct({
  object: Schema.Literal("invoice"),
  parent: Schema.Struct({ subscription_details: Schema.Struct({ subscription: Schema.String }) })
})

/** What events of every kind have in common. */
const AnyEvent = Schema.Struct({ object: Schema.String, id: Schema.String, type: Schema.String })

const Event = Schema.Struct({
  object: Schema.Literal("event"),
  id: Schema.String,
  type: Schema.String,
  created: Schema.Int,
  data: Schema.Struct({ object: Schema.Unknown })
})

const List = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(Schema.Unknown),
  has_more: Schema.Boolean
})

const WithId = Schema.Struct({ id: Schema.String })
const WithMetadata = Schema.Struct({ metadata: Metadata })

/** The names under which an installation finds its own records again. */
const metadataNames = {
  installation: "livery_installation",
  business: "livery_business_id",
  invoice: "livery_invoice_id",
  key: "livery_key"
}

/** The metadata of an intent for an invoice that is made under an idempotency key. */
export const intentMetadata = (
  installation: string,
  invoice: PaidInvoice,
  key: string
): Record<string, string> => ({
  [metadataNames.installation]: installation,
  [metadataNames.key]: key,
  [metadataNames.business]: String(invoice.business_id),
  [metadataNames.invoice]: String(invoice.invoice_id)
})

/** The metadata of a refund. */
export const refundMetadata = (installation: string, key: string): Record<string, string> => ({
  [metadataNames.installation]: installation,
  [metadataNames.key]: key
})

const intentStatuses: Readonly<Record<string, PaymentIntentStatus>> = {
  requires_payment_method: "awaiting_payment",
  requires_confirmation: "awaiting_payment",
  requires_action: "awaiting_payment",
  requires_capture: "processing",
  processing: "processing",
  succeeded: "succeeded",
  canceled: "canceled"
}

const refundStatuses: Readonly<Record<string, ProviderRefundStatus>> = {
  pending: "pending",
  requires_action: "pending",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "canceled"
}

/** The outcomes of disputes. A dispute with any other status is not decided yet. */
const disputeOutcomes: Readonly<Record<string, ProviderRefundStatus>> = {
  lost: "succeeded",
  won: "failed",
  prevented: "failed",
  warning_closed: "failed"
}

const instant = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

const decodeBusiness = Schema.decodeUnknownOption(BusinessId)
const decodeInvoice = Schema.decodeUnknownOption(InvoiceId)

/** A page of a list, with the records as they came. */
export interface ListedPage {
  readonly items: ReadonlyArray<unknown>
  /** The identifier of the last record if there are more; null otherwise. */
  readonly next: string | null
}

/** Reads a list; `None` if it is not one. */
export const readList = (answer: unknown): Option.Option<ListedPage> =>
  Option.map(Schema.decodeUnknownOption(List)(answer), ({ data, has_more }) => ({
    items: data,
    next: has_more
      ? Option.getOrNull(Option.map(Schema.decodeUnknownOption(WithId)(data.at(-1)), ({ id }) => id))
      : null
  }))

/** Reads a subscription item; `None` if it is not one. */
export const readItem = (answer: unknown): Option.Option<SubscriptionItem> =>
  Option.map(Schema.decodeUnknownOption(Item)(answer), ({ id, quantity }) => ({
    item_id: id,
    quantity: quantity ?? 0
  }))

const ItemWithSubscription = Schema.Struct({
  object: Schema.Literal("subscription_item"),
  subscription: Schema.String
})

/** Reads which subscription an item belongs to; `None` if it is no item. */
export const readSubscriptionOfItem = (
  answer: unknown
): Option.Option<{ readonly subscription_id: string }> =>
  Option.map(Schema.decodeUnknownOption(ItemWithSubscription)(answer), ({ subscription }) => ({
    subscription_id: subscription
  }))

/** Reads a subscription; `None` if it is not one. */
export const readSubscription = (answer: unknown): Option.Option<ProviderSubscription> =>
  Option.map(Schema.decodeUnknownOption(Subscription)(answer), ({ id, items, status }) => ({
    subscription_id: id,
    status,
    items: items.data.map((item) => ({ item_id: item.id, quantity: item.quantity ?? 0 }))
  }))

/** The subscription that an invoice charges for. */
const subjectOfInvoice = (record: unknown): NoticeSubject =>
  Option.match(Schema.decodeUnknownOption(SubscriptionInvoice)(record), {
    onNone: () => ({ _tag: "Other" }),
    onSome: ({ parent }) => ({
      _tag: "Subscription",
      subscription_id: parent.subscription_details.subscription
    })
  })

/** Readers of Stripe's records. They return `None` for a record that they cannot read. */
export const makeRecordReaders = (installation: string) => {
  const isOurs = (metadata: typeof Metadata.Type | null | undefined) =>
    metadata?.[metadataNames.installation] === installation

  const invoiceIn = (metadata: typeof Metadata.Type | undefined): PaidInvoice | null => {
    const business = decodeBusiness(Number(metadata?.[metadataNames.business]))
    const invoice = decodeInvoice(Number(metadata?.[metadataNames.invoice]))
    return Option.isSome(business) && Option.isSome(invoice)
      ? { business_id: business.value, invoice_id: invoice.value }
      : null
  }

  const readIntent = (answer: unknown): Option.Option<ProviderIntent> =>
    Option.flatMap(Schema.decodeUnknownOption(Intent)(answer), (intent) => {
      const status = intentStatuses[intent.status]
      const amount = fromApiAmount(intent.amount, intent.currency)
      const received = fromApiAmount(intent.amount_received, intent.currency)
      if (status === undefined || amount === undefined || received === undefined) return Option.none()
      const secret = intent.client_secret ?? null
      return Option.some({
        intent_id: intent.id,
        status,
        amount,
        received,
        paid_at: Option.getOrNull(
          Option.map(Schema.decodeUnknownOption(WithCharge)(answer), ({ latest_charge }) =>
            instant(latest_charge.created)
          )
        ),
        client_secret: secret === null ? null : Redacted.make(secret),
        invoice: invoiceIn(intent.metadata),
        failure: intent.last_payment_error?.message ?? null,
        created_at: instant(intent.created)
      })
    })

  const readRefund = (answer: unknown): Option.Option<ProviderRefund> =>
    Option.flatMap(Schema.decodeUnknownOption(Refund)(answer), (refund) => {
      const status = refundStatuses[refund.status ?? "succeeded"]
      const amount = fromApiAmount(refund.amount, refund.currency)
      if (status === undefined || amount === undefined) return Option.none()
      return Option.some({
        refund_id: refund.id,
        intent_id: refund.payment_intent,
        status,
        amount,
        key: refund.metadata?.[metadataNames.key] ?? null,
        reference: null,
        created_at: instant(refund.created)
      })
    })

  /**
   * A decided dispute as a refund, which is what a lost one is for the account; `None` for any other. A dispute has the time
   * at which it was opened, and only its notice has that of the outcome.
   */
  const readDispute = (record: unknown, decided_at?: DateTime.Utc): Option.Option<ProviderRefund> =>
    Option.flatMap(Schema.decodeUnknownOption(Dispute)(record), (dispute) => {
      const status = disputeOutcomes[dispute.status]
      const amount = fromApiAmount(dispute.amount, dispute.currency)
      if (status === undefined || amount === undefined) return Option.none()
      return Option.some({
        refund_id: dispute.id,
        intent_id: dispute.payment_intent,
        status,
        amount,
        key: null,
        reference: `Dispute ${dispute.id}`,
        created_at: decided_at ?? instant(dispute.created)
      })
    })

  const readSubject = (type: string, record: unknown, at: DateTime.Utc): Option.Option<NoticeSubject> => {
    if (type.startsWith("payment_intent."))
      return Option.map(readIntent(record), (intent) => ({
        _tag: "Intent",
        // The intent in a notice only has the identifier of its charge.
        intent: type === "payment_intent.succeeded" ? { ...intent, paid_at: at } : intent
      }))
    if (type.startsWith("refund."))
      return Option.map(readRefund(record), (refund) => ({ _tag: "Refund", refund }))
    if (type.startsWith("charge.dispute."))
      return Option.some(
        Option.match(readDispute(record, at), {
          onNone: (): NoticeSubject => ({ _tag: "Other" }),
          onSome: (refund) => ({ _tag: "Refund", refund })
        })
      )
    if (type.startsWith("customer.subscription."))
      return Option.map(readSubscription(record), ({ subscription_id }) => ({
        _tag: "Subscription",
        subscription_id
      }))
    return Option.some(type === "invoice.payment_failed" ? subjectOfInvoice(record) : { _tag: "Other" })
  }

  /** The record that an event is about; `None` if it is ours and cannot be read. */
  const subjectOf = (type: string, record: unknown, at: DateTime.Utc): Option.Option<NoticeSubject> => {
    const subject = readSubject(type, record, at)
    if (Option.isSome(subject)) return subject
    const isOurRecord = Option.exists(Schema.decodeUnknownOption(WithMetadata)(record), ({ metadata }) =>
      isOurs(metadata)
    )
    return isOurRecord ? Option.none() : Option.some({ _tag: "Other" })
  }

  /** Whether this installation made the record under that idempotency key. */
  const hasKey = (record: unknown, key: string): boolean =>
    Option.exists(
      Schema.decodeUnknownOption(WithMetadata)(record),
      ({ metadata }) => isOurs(metadata) && metadata[metadataNames.key] === key
    )

  /** A signed record of another kind than an event; it has no subject that is known. */
  const readOther = (answer: unknown): Option.Option<PaymentNotice> =>
    Option.flatMap(Schema.decodeUnknownOption(AnyEvent)(answer), ({ id, object, type }) =>
      object === "event"
        ? Option.none()
        : Option.some({ event_id: id, type, created_at: instant(0), subject: { _tag: "Other" } })
    )

  const readEvent = (answer: unknown): Option.Option<PaymentNotice> =>
    Option.flatMap(Schema.decodeUnknownOption(Event)(answer), ({ created, data, id, type }) => {
      const created_at = instant(created)
      return Option.map(subjectOf(type, data.object, created_at), (subject) => ({
        event_id: id,
        type,
        created_at,
        subject
      }))
    })

  const readNotice = (answer: unknown): Option.Option<PaymentNotice> =>
    Option.orElse(readEvent(answer), () => readOther(answer))

  return { hasKey, readDispute, readIntent, readNotice, readRefund }
}

/** The functions that {@link makeRecordReaders} returns. */
export type RecordReaders = ReturnType<typeof makeRecordReaders>
