/** One invoice of a business whose customers pay by card on an emulated account, and the steps that may happen to it. */
import {
  BusinessRepository,
  CardPayments,
  CreditNoteInput,
  CreditNotes,
  EventLog,
  InvoiceChanges,
  InvoiceId,
  InvoiceInput,
  Invoices,
  isReceipt,
  MoneyCheck,
  netOfLedger,
  PaymentId,
  PaymentInput,
  Payments,
  PaymentRepository,
  ProviderNotices,
  RefundInput,
  Transaction
} from "@livery/domain"
import { StripePayments } from "@livery/integrations"
import { makeStripeEmulator, type StripeEmulator } from "@livery/stripe-emulator"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { newBusiness } from "../../contract/Given.ts"

/** The emulated account of the tests. */
export class Emulator extends Context.Service<Emulator, StripeEmulator>()("test/Emulator") {}

/** The committed events, in the order of their commits. */
class Sent extends Context.Service<
  Sent,
  Array<{ readonly businessId: number; readonly type: string; readonly body: string }>
>()("test/Sent") {}

const emulatedStripe = (options: Partial<StripePayments.StripePaymentsOptions>) =>
  Layer.unwrap(
    Effect.map(Emulator, ({ secretKey, url, webhookSecret }) =>
      StripePayments.layer({ secretKey, webhookSecret, apiBase: url, installation: "test", ...options })
    )
  ).pipe(Layer.provideMerge(Layer.effect(Emulator, Effect.orDie(makeStripeEmulator()))))

/** The event log of the database, which also adds each event to {@link Sent} after its transaction has committed. */
const ObservedEvents = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const log = yield* EventLog
    const sent = yield* Sent
    const { afterCommit } = yield* Transaction
    return EventLog.of({
      record: (event) =>
        Effect.andThen(log.record(event), afterCommit(Effect.sync(() => void sent.push(event)))),
      recordAll: (events) =>
        Effect.andThen(log.recordAll(events), afterCommit(Effect.sync(() => void sent.push(...events))))
    })
  })
).pipe(Layer.provideMerge(Layer.sync(Sent, () => [])))

/** The use cases of billing on an emulated account; it requires the ports of a database. */
export const billingWith = (options: Partial<StripePayments.StripePaymentsOptions> = {}) =>
  CreditNotes.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Invoices.layer,
        Payments.layer,
        CardPayments.layer,
        ProviderNotices.layer,
        MoneyCheck.layer
      )
    ),
    Layer.provideMerge(emulatedStripe(options)),
    Layer.provideMerge(ObservedEvents)
  )

/** One step of a sequence on an invoice, with a number from 0 to 999 that chooses an amount, a payment or a notice. */
export const Step = Schema.Tuple([
  Schema.Literals([
    "items",
    "pay",
    "pay",
    "refund",
    "refund",
    "credit",
    "void",
    "remove",
    "card",
    "card",
    "failing card",
    "declined card",
    "begin",
    "fail refund",
    "refund at provider",
    "notice",
    "notice",
    "notice",
    "altered notice",
    "forged notice"
  ]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))
])
export type Step = typeof Step.Type

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)
/** An amount in cents. */
export const cents = (amount: number) => Math.round(amount * 100)

/** The status of an invoice by the specification, computed from its amounts. */
const statusOf = ({
  voided_at,
  total_amount,
  amount_credited,
  amount_paid
}: {
  readonly voided_at: string | null
  readonly total_amount: number
  readonly amount_credited: number
  readonly amount_paid: number
}) => {
  const total = cents(total_amount) - cents(amount_credited)
  const net = cents(amount_paid)
  if (voided_at !== null) return "void"
  if (net <= 0 || total === 0) return "unpaid"
  return net < total ? "partial" : "paid"
}

const rateFor = (choice: number) => [0, 7.7, 19][choice % 3] ?? 0

/** The items of an invoice, with amounts and rates that depend on a number. */
export const itemsFor = (choice: number) => ({
  items: [
    { description: "Ride", unit_price: (1000 + choice) / 100, tax_rate: rateFor(choice) },
    { description: "Wait", unit_price: 1.11, quantity: 1 + (choice % 4) },
    ...(choice % 2 === 0 ? [] : [{ description: "Voucher", unit_price: 2.5, quantity: -1, tax_rate: 2.6 }])
  ]
})

/** Makes an invoice, and returns the functions that take a step of it and check it. */
export const newInvoice = Effect.fnUntraced(function* (body: { readonly items: ReadonlyArray<object> }) {
  const emulator = yield* Emulator
  const sent = yield* Sent
  const [invoices, payments, notes, cards] = [
    yield* Invoices,
    yield* Payments,
    yield* CreditNotes,
    yield* CardPayments
  ]
  const notices = yield* ProviderNotices
  const ledger = yield* PaymentRepository
  const { run: check } = yield* MoneyCheck
  const businesses = yield* BusinessRepository
  const acting = Option.getOrThrow(yield* businesses.find(yield* newBusiness))
  const { business_id } = acting
  const made = yield* invoices.create(acting, yield* Schema.decodeUnknownEffect(InvoiceInput)(body))
  const invoiceId = InvoiceId.make(made.invoice_id)
  const ownIntents = new Set<string>()
  /** The amounts that were paid and refunded without the provider, in cents. */
  const manual = { received: 0, returned: 0 }

  const entries = ledger.ofInvoice(business_id, invoiceId)
  const intents = () => emulator.intents().filter(({ id }) => ownIntents.has(id))
  const refunds = () =>
    emulator
      .refunds()
      .filter(({ payment_intent }) => typeof payment_intent === "string" && ownIntents.has(payment_intent))
  const events = () =>
    emulator.events().filter(({ data }) => {
      const { id, payment_intent } = data.object as {
        readonly id?: string
        readonly payment_intent?: string
      }
      return ownIntents.has(id ?? "") || ownIntents.has(payment_intent ?? "")
    })

  const begin = Effect.map(cards.pay(made.payment_hash), ({ client_secret }) => {
    const [intent = ""] = client_secret.split("_secret_")
    ownIntents.add(intent)
    return intent
  })
  // The provider refuses the payment if another step has cancelled or completed it.
  const payByCard = (card: string) =>
    Effect.flatMap(begin, (intent) => Effect.asVoid(Effect.exit(emulator.pay(intent, card))))

  const deliver = Effect.fnUntraced(function* (
    index: number,
    change: (body: string, signature: string) => readonly [string, string] = (...given) => given
  ) {
    const all = events()
    const event = all[index % Math.max(1, all.length)]
    if (event === undefined) return
    const { body, headers } = yield* emulator.notice(event)
    const given = Object.entries(headers).find(([name]) => name.toLowerCase() === "stripe-signature")?.[1]
    const [text, signature] = change(body, given ?? "")
    yield* notices.receive(new TextEncoder().encode(text), signature)
  })

  /** Receives a notice that the provider did not send. Its acceptance is a defect. */
  const refused = (attempt: Effect.Effect<void, { readonly _tag: string }>) =>
    Effect.suspend(() =>
      events().length === 0
        ? Effect.void
        : Effect.matchEffect(attempt, {
            onSuccess: () => Effect.die("the notice was accepted"),
            onFailure: ({ _tag }) => Effect.sync(() => assert.strictEqual(_tag, "PaymentNoticeRefused"))
          })
    )

  const refund = Effect.fnUntraced(function* (index: number) {
    const sources = (yield* entries).filter(({ kind }) => kind === "payment" || kind === "excess")
    const source = sources[index % Math.max(1, sources.length)]
    if (source === undefined) return
    const amount =
      index % 2 === 0 ? {} : { amount: Math.max(1, Math.floor((source.amount_minor * index) / 999)) / 100 }
    const before = (yield* entries).length
    yield* payments.refund(
      acting,
      invoiceId,
      PaymentId.make(source.payment_id),
      yield* Schema.decodeEffect(RefundInput)(amount)
    )
    if (source.provider_id !== null) return
    assert.isAbove((yield* entries).length, before)
  })

  /** Refunds a part of a payment at the provider, past Livery. */
  const refundAtProvider = Effect.fnUntraced(function* (choice: number) {
    const paid = intents().filter(({ amount_received }) => amount_received > 0)
    const one = paid[choice % Math.max(1, paid.length)]
    if (one === undefined) return
    const amount = Math.max(1, Math.floor((one.amount_received * choice) / 999))
    const parameters = new URLSearchParams({ payment_intent: one.id, amount: String(amount) })
    // The provider refuses more than it has left.
    yield* Effect.promise(() =>
      fetch(`${emulator.url}/v1/refunds`, {
        method: "POST",
        headers: { Authorization: `Bearer ${Redacted.value(emulator.secretKey)}` },
        body: parameters
      })
    )
  })

  const recordByHand = (input: PaymentInput) =>
    Effect.map(payments.record(acting, invoiceId, input), () => {
      manual.received += cents(input.amount)
    })

  const step = ([kind, choice]: Step): Effect.Effect<void, { readonly _tag: string }> => {
    switch (kind) {
      case "items":
        return Effect.asVoid(
          invoices.update(acting, invoiceId, Schema.decodeSync(InvoiceChanges)(itemsFor(choice)))
        )
      case "pay":
        return Effect.gen(function* () {
          const { amount_due } = yield* invoices.get(acting, invoiceId)
          const amount =
            choice > 900
              ? (cents(amount_due) + 1) / 100
              : choice > 800
                ? Math.max(1, cents(amount_due) - 1) / 100
                : Math.max(1, Math.floor((cents(amount_due) * choice) / 800)) / 100
          yield* recordByHand(yield* Schema.decodeEffect(PaymentInput)({ amount, method: "cash" }))
        })
      case "refund":
        return refund(choice)
      case "credit": {
        const part = {
          items: [{ description: "Delay", unit_price: (choice % 500) / 100, tax_rate: rateFor(choice) }]
        }
        const input = { ...(choice > 700 ? {} : part), refund: choice % 2 === 0 }
        return Effect.asVoid(notes.create(acting, invoiceId, Schema.decodeSync(CreditNoteInput)(input)))
      }
      case "void":
        return choice < 500 ? Effect.void : Effect.asVoid(invoices.void(acting, invoiceId))
      case "remove":
        return choice < 900 ? Effect.void : Effect.asVoid(invoices.remove(acting, invoiceId, { force: true }))
      case "card":
        return payByCard("pm_card_visa")
      case "failing card":
        return payByCard("pm_card_refundFail")
      case "declined card":
        return payByCard("pm_card_visa_chargeDeclined")
      case "begin":
        return Effect.asVoid(begin)
      case "fail refund": {
        const open = refunds()
        const one = open[choice % Math.max(1, open.length)]
        return one === undefined ? Effect.void : Effect.asVoid(Effect.exit(emulator.settle(one.id)))
      }
      case "refund at provider":
        return refundAtProvider(choice)
      case "notice":
        return deliver(choice)
      case "altered notice":
        return refused(deliver(choice, (body, signature) => [`${body} `, signature]))
      case "forged notice":
        return refused(deliver(choice, (body) => [body, `t=${Math.floor(choice)},v1=${"0".repeat(64)}`]))
    }
  }

  /** Delivers every notice of the account twice, the newest first. */
  const deliverAll = Effect.gen(function* () {
    for (let round = 0; round < 2; round++)
      for (let index = events().length - 1; index >= 0; index--) yield* deliver(index)
  })

  const own = () => sent.filter(({ businessId }) => businessId === business_id)
  const countOf = (type: string) => own().filter((event) => event.type === type).length

  /** Checks that the sums, the status and the events follow from the ledger. Returns the status. */
  const consistent = Effect.gen(function* () {
    const all = yield* entries
    const differences = (yield* check()).filter((difference) => difference.business_id === business_id)
    assert.deepStrictEqual(differences, [])
    const received = all.filter(isReceipt)
    assert.strictEqual(countOf("invoice.created"), 1)
    assert.deepStrictEqual(
      own()
        .filter(({ type }) => type === "payment.succeeded")
        .map(({ body }) =>
          cents((JSON.parse(body) as { readonly data: { readonly amount: number } }).data.amount)
        )
        .toSorted((one, other) => one - other),
      received.map(({ amount_minor }) => amount_minor).toSorted((one, other) => one - other)
    )
    const found = yield* Effect.option(invoices.get(acting, invoiceId))
    if (Option.isSome(found)) assert.strictEqual(found.value.status, statusOf(found.value))
    return Option.match(found, { onNone: () => "removed" as const, onSome: ({ status }) => status })
  })

  /**
   * Whether an entry after the first `known` ones made the invoice paid, and a later one undid it. A notice does both
   * if it is the first to tell of a payment and of its refunds.
   */
  const wasPaidBetween = Effect.fnUntraced(function* (known: number) {
    const all = yield* entries
    const found = yield* Effect.option(invoices.get(acting, invoiceId))
    if (Option.isNone(found)) return false
    const paidAfter = (count: number) =>
      statusOf({ ...found.value, amount_paid: netOfLedger(all.slice(0, count)) / 100 }) === "paid"
    const counts = all.map((_, index) => index + 1).filter((count) => count > known)
    return !paidAfter(known) && counts.some(paidAfter) && !paidAfter(all.length)
  })

  /** Checks that every cent that was received is in the ledger or was returned. */
  const conserved = Effect.gen(function* () {
    const all = yield* entries
    const of = (...kinds: ReadonlyArray<string>) =>
      sum(all.filter(({ kind }) => kinds.includes(kind)).map(({ amount_minor }) => amount_minor))
    const byHand = all.filter(({ provider_id }) => provider_id === null)
    const returned = byHand.filter(({ kind }) => kind === "refund" || kind === "excess_refund")
    manual.returned = sum(returned.map(({ amount_minor }) => amount_minor))
    const collected = sum(intents().map(({ amount_received }) => amount_received))
    const givenBack = sum(
      refunds()
        .filter(({ status }) => status !== "failed" && status !== "canceled")
        .map(({ amount }) => amount)
    )
    const balance = of("payment", "excess", "reversal", "excess_reversal") - of("refund", "excess_refund")
    assert.strictEqual(balance, manual.received - manual.returned + collected - givenBack)
    assert.isAtLeast(balance, 0)
    assert.isAtMost(givenBack, collected)
  })

  return {
    acting,
    begin,
    conserved,
    consistent,
    countOf,
    emulator,
    entries,
    intents,
    invoiceId,
    recordByHand,
    refunds,
    deliverAll,
    step,
    wasPaidBetween
  }
})
