/** Businesses whose bookings become trips, for tests over HTTP of what charges a ride. */
import { Effect } from "effect"
import { openServer, record, records, type TestServer } from "../support/TestServer.ts"
import { biller } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"

/** The item of an invoice in a response. */
type Item = Readonly<Record<string, unknown>>

/** The items of an invoice. */
export const itemsOf = (invoice: Item) => invoice["items"] as ReadonlyArray<Item>

/** A business on a server with a customer who books transfers at 90, in December 2026. */
export const ridesOn = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* biller(server)
  const { send } = owner
  const { customer_id } = yield* owner.customer()
  const transfer = { kind: "transfer", pickup_address: "Here", dropoff_address: "There" }
  const sold = yield* seller(owner, transfer)
  const invoiceAt = (invoiceId: unknown) => `/invoices/${String(invoiceId)}`
  const book = sold.book({ customer_id })
  /** Refunds every payment of an invoice. */
  const refundAll = Effect.fnUntraced(function* (invoiceId: unknown) {
    const path = `${invoiceAt(invoiceId)}/payments`
    for (const { kind, payment_id } of records(yield* send("GET", path)))
      if (kind === "payment") record(yield* send("POST", `${path}/${String(payment_id)}/refund`, {}))
  })
  return {
    ...owner,
    ...sold,
    book,
    /** Records a payment of an invoice. */
    pay: owner.pay,
    /** Records a payment for a booking. */
    payFor: sold.pay,
    customer_id,
    invoiceOf: owner.read,
    refundAll,
    /** A booking of which that amount was paid, then confirmed; its trip is completed. */
    ridden: Effect.fnUntraced(function* (paid: number) {
      const booking = yield* book
      record(yield* sold.pay(booking, paid))
      const { invoice_id, trip_id } = record(yield* sold.step(booking, "confirm"))
      record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      return { booking, invoice_id, trip_id }
    }),
    /** A booking that was confirmed, whose completed trip is on an invoice that was not issued. */
    invoiced: Effect.gen(function* () {
      const booking = yield* book
      const { trip_id } = record(yield* sold.step(booking, "confirm"))
      record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      const { invoice_id } = yield* owner.invoice({ customer_id, trip_ids: [trip_id] })
      return { booking, invoice_id, trip_id }
    }),
    attach: (invoiceId: unknown, ...trip_ids: ReadonlyArray<unknown>) =>
      send("POST", `${invoiceAt(invoiceId)}/trips`, { trip_ids }),
    detach: (invoiceId: unknown, ...trip_ids: ReadonlyArray<unknown>) =>
      send("DELETE", `${invoiceAt(invoiceId)}/trips`, { trip_ids }),
    changeItems: (invoiceId: unknown, items: ReadonlyArray<object>) =>
      send("PATCH", invoiceAt(invoiceId), { items }),
    deleteTrip: (tripId: unknown) =>
      Effect.map(send("DELETE", `/trips/${String(tripId)}`, { force: true }), record),
    void: (invoiceId: unknown) => send("POST", `${invoiceAt(invoiceId)}/void`),
    /** Invoices the customer's trips of the month. */
    month: send("POST", `/customers/${String(customer_id)}/invoices`, { month: "2026-12" })
  }
})

/** The same on a server of its own. */
export const rides = Effect.suspend(() => Effect.flatMap(openServer(), ridesOn))
