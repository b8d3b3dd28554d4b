/** A business that sells transfers by bookings, and the steps that may happen to their trips and their invoices. */
import {
  BookingId,
  BookingInput,
  BookingPaymentInput,
  BookingPayments,
  type BookingRecord,
  Bookings,
  BusinessRepository,
  CardPayments,
  CreditNoteInput,
  CreditNotes,
  InvoiceChanges,
  InvoiceId,
  InvoiceInput,
  type InvoiceRecord,
  Invoices,
  InvoiceTrips,
  MonthlyInvoiceInput,
  MonthlyInvoices,
  nothingSent,
  PaymentId,
  PaymentInput,
  PaymentLinks,
  Payments,
  ProductInput,
  Products,
  ProviderNotices,
  RefundInput,
  TripChanges,
  TripId,
  Trips
} from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { newBusiness, newCustomer, wholeList } from "../../contract/Given.ts"
import { billingWith, cents, Emulator } from "./Bookkeeping.ts"

/** The use cases of sales and billing on an emulated account; it requires the ports of a database. */
export const sales = Layer.mergeAll(Bookings.layer, BookingPayments.layer, Products.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(Trips.layer, InvoiceTrips.layer, PaymentLinks.layer, MonthlyInvoices.layer)
  ),
  Layer.provideMerge(billingWith())
)

/** One step, with a number from 0 to 999 that chooses a record, an amount or a notice. */
export const RideStep = Schema.Tuple([
  Schema.Literals([
    "book",
    "book",
    "pay booking",
    "pay booking",
    "pay booking",
    "pay booking",
    "pay invoice",
    "pay invoice",
    "link",
    "card",
    "card",
    "notice",
    "notice",
    "confirm",
    "confirm",
    "confirm",
    "confirm",
    "confirm",
    "cancel booking",
    "remove booking",
    "complete trip",
    "complete trip",
    "complete trip",
    "complete trip",
    "complete trip",
    "cancel trip",
    "delete trip",
    "detach",
    "detach",
    "detach",
    "detach",
    "detach",
    "attach",
    "attach",
    "invoice trip",
    "invoice trip",
    "month",
    "month",
    "month",
    "month",
    "rename",
    "rename",
    "items",
    "items",
    "refund",
    "refund",
    "refund",
    "refund",
    "credit",
    "credit",
    "void",
    "void",
    "wait"
  ]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))
])
export type RideStep = typeof RideStep.Type

/** The most bookings of a sequence. */
const mostBookings = 3

const price = 90

const water = { description: "Water", unit_price: 2 }

/** The items of an invoice as a request would send them back. */
const sentBack = ({ items }: InvoiceRecord) =>
  items.map(({ description, quantity, tax_rate, trip_id, unit_price }) => ({
    description,
    quantity,
    tax_rate,
    trip_id,
    unit_price
  }))

/** Makes a business, and returns the functions that take its steps and read what they left. */
export const newRideBusiness = Effect.gen(function* () {
  const [emulator, bookings, bookingPayments, products] = [
    yield* Emulator,
    yield* Bookings,
    yield* BookingPayments,
    yield* Products
  ]
  const [trips, invoices, invoiceTrips, monthly] = [
    yield* Trips,
    yield* Invoices,
    yield* InvoiceTrips,
    yield* MonthlyInvoices
  ]
  const [payments, cards, notes, notices] = [
    yield* Payments,
    yield* CardPayments,
    yield* CreditNotes,
    yield* ProviderNotices
  ]
  const businesses = yield* BusinessRepository
  const acting = Option.getOrThrow(yield* businesses.find(yield* newBusiness))
  const customerId = yield* newCustomer(acting.business_id)
  const transfer = {
    name: "Transfer",
    kind: "transfer" as const,
    price,
    pickup_address: "Here",
    dropoff_address: "There"
  }
  const { product_id } = yield* products.create(acting, yield* Schema.decodeEffect(ProductInput)(transfer))
  const bookingIds: Array<BookingId> = []
  const intents = new Set<string>()
  /** The amount that was paid without the provider, in cents. */
  const byHand = { received: 0 }

  const one = <A>(all: ReadonlyArray<A>, choice: number) =>
    Option.fromUndefinedOr(all[choice % Math.max(1, all.length)])
  const allInvoices = Effect.map(Effect.orDie(invoices.list(acting, {}, wholeList)), ({ items }) => items)
  const idOf = ({ invoice_id }: InvoiceRecord) => InvoiceId.make(invoice_id)
  const allBookings: Effect.Effect<ReadonlyArray<BookingRecord>> = Effect.map(
    Effect.forEach(bookingIds, (id) => Effect.option(bookings.get(acting, id))),
    (found) => found.flatMap(Option.toArray)
  )

  /** Takes a step with the record that the number chooses; no step without records. */
  const withOne = <A, E>(
    all: Effect.Effect<ReadonlyArray<A>>,
    choice: number,
    use: (chosen: A) => Effect.Effect<unknown, E>
  ): Effect.Effect<void, E> =>
    Effect.flatMap(
      Effect.suspend(() => all),
      (records) =>
        Option.match(one(records, choice), {
          onNone: () => Effect.void,
          onSome: (chosen) => Effect.asVoid(use(chosen))
        })
    )
  const bookingIdsNow = Effect.sync((): ReadonlyArray<BookingId> => [...bookingIds])
  const tripIds = Effect.map(
    Effect.suspend(() => allBookings),
    (all) => all.flatMap(({ trip_id }) => (trip_id === null ? [] : [TripId.make(trip_id)]))
  )

  const pay = (hash: string) =>
    Effect.map(cards.pay(hash), ({ client_secret }) => {
      const [intent = ""] = client_secret.split("_secret_")
      intents.add(intent)
      return intent
    })

  const events = () =>
    emulator.events().filter(({ data }) => {
      const { id = "", payment_intent = "" } = data.object as { id?: string; payment_intent?: string }
      return intents.has(id) || intents.has(payment_intent)
    })

  const deliver = Effect.fnUntraced(function* (choice: number) {
    const event = Option.getOrUndefined(one(events(), choice))
    if (event === undefined) return
    const { body, headers } = yield* emulator.notice(event)
    const [, signature] =
      Object.entries(headers).find(([name]) => name.toLowerCase() === "stripe-signature") ?? []
    yield* notices.receive(new TextEncoder().encode(body), signature)
  })

  /** Records a payment of a part of an amount, and counts it. */
  const receive = <E>(
    due: number,
    choice: number,
    record: (input: PaymentInput) => Effect.Effect<unknown, E>
  ) => {
    const amount = Math.max(1, Math.floor((cents(due) * choice) / 700)) / 100
    const input = Schema.decodeSync(PaymentInput)({ amount, method: "cash", currency: acting.currency })
    return Effect.map(record(input), () => {
      byHand.received += cents(amount)
    })
  }

  const book = Effect.gen(function* () {
    if (bookingIds.length >= mostBookings) return
    const input = yield* Schema.decodeEffect(BookingInput)({
      product_id,
      starts_at: `2026-12-2${bookingIds.length}T10:00:00Z`,
      customer_id: customerId
    })
    const { booking_id } = yield* bookings.create(acting, input)
    bookingIds.push(BookingId.make(booking_id))
  })

  const changeItems = (
    invoice: InvoiceRecord,
    items: NonNullable<(typeof InvoiceChanges.Encoded)["items"]>
  ) => invoices.update(acting, idOf(invoice), Schema.decodeSync(InvoiceChanges)({ items }))

  const changeTrip = (choice: number, changes: typeof TripChanges.Encoded) =>
    withOne(tripIds, choice, (tripId) =>
      trips.update(acting, tripId, Schema.decodeSync(TripChanges)(changes))
    )

  const step = ([kind, choice]: RideStep): Effect.Effect<void, { readonly _tag: string }> => {
    switch (kind) {
      case "book":
        return book
      case "pay booking":
        return withOne(bookingIdsNow, choice, (id) =>
          receive(price, choice, (input) =>
            bookingPayments.record(acting, id, {
              ...Schema.decodeSync(BookingPaymentInput)({ amount: 1, method: "cash" }),
              ...input
            })
          )
        )
      case "pay invoice":
        return withOne(allInvoices, choice, (invoice) =>
          receive(invoice.amount_due, choice, (input) => payments.record(acting, idOf(invoice), input))
        )
      case "link":
        return withOne(bookingIdsNow, choice, (id) =>
          Effect.flatMap(
            bookingPayments.link(acting, id, { ...nothingSent, tax_rate: 0 }),
            ({ payment_hash }) => pay(payment_hash)
          )
        )
      case "card":
        return withOne(allInvoices, choice, ({ payment_hash }) =>
          Effect.flatMap(pay(payment_hash), (intent) => Effect.exit(emulator.pay(intent, "pm_card_visa")))
        )
      case "notice":
        return deliver(choice)
      case "confirm":
        return withOne(bookingIdsNow, choice, (id) => bookings.confirm(acting, id, true))
      case "cancel booking":
        return withOne(bookingIdsNow, choice, (id) => bookings.cancel(acting, id, true))
      case "remove booking":
        return choice < 700
          ? Effect.void
          : withOne(bookingIdsNow, choice, (id) => bookings.remove(acting, id, { force: true }))
      case "complete trip":
        return changeTrip(choice, { status: "completed", force: true })
      case "cancel trip":
        return changeTrip(choice, { status: "cancelled", cancellation_fee: 30, force: true })
      case "delete trip":
        return choice < 500
          ? Effect.void
          : withOne(tripIds, choice, (tripId) => trips.remove(acting, tripId, { force: true }))
      case "detach":
        return withOne(
          Effect.map(allInvoices, (all) => all.filter(({ trip_ids }) => trip_ids.length > 0)),
          choice,
          (invoice) =>
            invoiceTrips.detach(acting, idOf(invoice), {
              trip_ids: Option.toArray(one(invoice.trip_ids, choice)).map((id) => TripId.make(id))
            })
        )
      case "attach":
        return withOne(allInvoices, choice, (invoice) =>
          withOne(tripIds, Math.floor(choice / 7), (tripId) =>
            invoiceTrips.attach(acting, idOf(invoice), { ...nothingSent, trip_ids: [tripId] })
          )
        )
      case "invoice trip":
        return withOne(tripIds, choice, (tripId) =>
          invoices.create(acting, Schema.decodeSync(InvoiceInput)({ trip_ids: [tripId] }))
        )
      case "month":
        return Effect.asVoid(
          monthly.raise(acting, customerId, Schema.decodeSync(MonthlyInvoiceInput)({ month: "2026-12" }))
        )
      case "rename":
        // The lines name no trip any more, as after a request by a caller that does not know the field.
        return withOne(allInvoices, choice, (invoice) =>
          changeItems(
            invoice,
            sentBack(invoice).map((item) => ({ ...item, trip_id: null }))
          )
        )
      case "items":
        return withOne(allInvoices, choice, (invoice) =>
          changeItems(
            invoice,
            choice % 3 === 0 ? sentBack(invoice).slice(0, -1) : [...sentBack(invoice), water]
          )
        )
      case "refund":
        return withOne(allInvoices, choice, (invoice) =>
          withOne(
            Effect.orDie(Effect.map(payments.list(acting, idOf(invoice), wholeList), ({ items }) => items)),
            Math.floor(choice / 7),
            ({ payment_id }) =>
              payments.refund(
                acting,
                idOf(invoice),
                PaymentId.make(payment_id),
                Schema.decodeSync(RefundInput)({})
              )
          )
        )
      case "credit": {
        const part = { items: [{ description: "Delay", unit_price: (choice % 50) / 10 }] }
        const input = Schema.decodeSync(CreditNoteInput)(choice % 2 === 0 ? {} : part)
        return withOne(allInvoices, choice, (invoice) => notes.create(acting, idOf(invoice), input))
      }
      case "void":
        return withOne(allInvoices, choice, (invoice) => invoices.void(acting, idOf(invoice)))
      case "wait":
        return TestClock.adjust("13 hours")
    }
  }

  /** Delivers every notice of the account twice, the newest first. */
  const deliverAll = Effect.gen(function* () {
    for (let round = 0; round < 2; round++)
      for (let index = events().length - 1; index >= 0; index--) yield* deliver(index)
  })

  return {
    acting,
    allBookings: Effect.suspend(() => allBookings),
    allInvoices,
    byHand,
    deliverAll,
    emulator,
    intents,
    step
  }
})
