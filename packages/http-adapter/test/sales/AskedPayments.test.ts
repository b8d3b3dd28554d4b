import { PaymentProvider } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect } from "effect"
import { providerOn } from "../support/EmulatedProvider.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { addresses, bookingPage, customer, later } from "./BookingPage.ts"

/** The page of a business that takes cards on an emulated account. */
const page = Effect.gen(function* () {
  const emulator = yield* makeStripeEmulator()
  const provider = yield* providerOn(emulator)
  const server = yield* openServer().pipe(Effect.provideService(PaymentProvider, provider))
  const owner = yield* bookingPage(server)
  const { offered, send, visit } = owner
  const { product_id } = record(
    yield* send("POST", "/products", {
      name: "Tour",
      kind: "other",
      price: 45,
      duration_minutes: 60,
      capacity: 8
    })
  )
  const bookProduct = Effect.gen(function* () {
    const starts_at = yield* later("5 days")
    return record(
      yield* visit("POST", "/bookings", { product_id, starts_at, participants_count: 2, ...customer })
    )
  })
  return {
    ...owner,
    emulator,
    bookProduct,
    read: (hash: unknown) => Effect.map(server.send("GET", `/public/invoices/${String(hash)}`), record),
    bookRide: Effect.gen(function* () {
      const { price_token, total } = yield* offered(yield* later("2 days"))
      const book = visit("POST", "/trips", { price_token, ...customer, ...addresses })
      return { book, total }
    })
  }
})

/** The records of a list in a response. */
const listOf = (list: unknown) => list as ReadonlyArray<Record<string, unknown>>

layer(Ports)("the payment of a booking from the booking page", (it) => {
  it.effect("is asked for if the business wants it: one invoice of the displayed price", () =>
    Effect.gen(function* () {
      const { bookProduct, bookRide, emulator, read, send, settings } = yield* page
      yield* settings({ asks_payment: true })
      const { book, total } = yield* bookRide
      const trip = record(yield* book)
      assert.deepInclude(yield* read(trip["payment_hash"]), { amount_due: total, total_amount: total })
      // The repetition of a booked price gives the same invoice, without the provider, which would cancel a part payment.
      yield* emulator.fault({ operation: "payment_intents.retrieve", kind: "refusal", times: 20 })
      assert.strictEqual(record(yield* book)["payment_hash"], trip["payment_hash"])
      yield* emulator.clearFaults
      const booking = yield* bookProduct
      assert.deepInclude(yield* read(booking["payment_hash"]), { amount_due: 90 })
      assert.lengthOf(records(yield* send("GET", "/invoices")), 2)
    })
  )

  it.effect("is not asked for by default, nor before a booking is confirmed", () =>
    Effect.gen(function* () {
      const { bookProduct, bookRide, send, settings } = yield* page
      assert.deepInclude(record(yield* (yield* bookRide).book), { payment_hash: null })
      yield* settings({ asks_payment: true }, { booking_confirmation_required: true })
      assert.deepInclude(record(yield* (yield* bookRide).book), { payment_hash: null })
      assert.deepInclude(yield* bookProduct, { status: "pending", payment_hash: null })
      assert.lengthOf(records(yield* send("GET", "/invoices")), 0)
    })
  )

  it.effect("is of the displayed price if the fare has a tax, which the invoice shows", () =>
    Effect.gen(function* () {
      const { bookRide, read, send, settings, tariff_id } = yield* page
      yield* settings({ asks_payment: true })
      const tax = { included: true, rates: [{ name: "VAT", percent: 8.1 }] }
      yield* send("PATCH", `/tariffs/${String(tariff_id)}`, { modifiers: { tax } })
      const { book, total } = yield* bookRide
      assert.isAbove(total, 0)
      const shown = yield* read(record(yield* book)["payment_hash"])
      const [taxed = {}] = listOf(shown["tax_breakdown"])
      assert.deepInclude(taxed, { name: "VAT", rate: 8.1, tax_amount: shown["tax_total"] })
      assert.deepInclude(shown, { amount_due: total, total_amount: total, subtotal: taxed["taxable_amount"] })
      assert.isAbove(Number(shown["tax_total"]), 0)
    })
  )

  it.effect("contains the taxes of the product or the business", () =>
    Effect.gen(function* () {
      const { bookProduct, bookRide, read, send, settings } = yield* page
      yield* settings({ asks_payment: true }, { default_taxes: [{ rate: 10 }] })
      const booking = yield* read((yield* bookProduct)["payment_hash"])
      assert.deepInclude(booking, { subtotal: 81.82, tax_total: 8.18, total_amount: 90 })
      const { book, total } = yield* bookRide
      assert.deepInclude(yield* read(record(yield* book)["payment_hash"]), { total_amount: total })
      const [product = {}] = records(yield* send("GET", "/products"))
      yield* send("PATCH", `/products/${String(product["product_id"])}`, {
        taxes: [
          { name: "GST", rate: 5 },
          { name: "QST", rate: 9.975 }
        ]
      })
      const taxed = yield* read((yield* bookProduct)["payment_hash"])
      assert.deepInclude(taxed, { subtotal: 78.28, tax_total: 11.72, total_amount: 90 })
      assert.deepStrictEqual(taxed["tax_breakdown"], [
        { name: "GST", rate: 5, taxable_amount: 78.28, tax_amount: 3.91 },
        { name: "QST", rate: 9.975, taxable_amount: 78.28, tax_amount: 7.81 }
      ])
    })
  )

  it.effect(
    "does not stop the booking while the payment provider fails, and is made up for by a repetition",
    () =>
      Effect.gen(function* () {
        const { bookRide, emulator, settings } = yield* page
        yield* settings({ asks_payment: true })
        const { book } = yield* bookRide
        yield* emulator.fault({ operation: "payment_intents.create", kind: "refusal", times: 20 })
        const first = record(yield* book)
        assert.deepInclude(first, { payment_hash: null, status: "confirmed" })
        yield* emulator.clearFaults
        const again = record(yield* book)
        assert.strictEqual(again["reference"], first["reference"])
        assert.isString(again["payment_hash"])
      })
  )
})
