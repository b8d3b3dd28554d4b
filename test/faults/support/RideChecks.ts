/** The invariants of the rides, the invoices and the money of a business after any sequence of steps. */
import {
  AccountRepository,
  differencesOf,
  InvoiceId,
  type InvoiceRecord,
  MoneyCheck,
  PaymentRepository,
  TripId,
  Trips
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, type Effect as E } from "effect"
import { wholeList } from "../../contract/Given.ts"
import { cents } from "./Bookkeeping.ts"
import type { newRideBusiness } from "./RideSales.ts"

type RideBusiness = E.Success<typeof newRideBusiness>

const isInForce = ({ amount_credited, status, total_amount }: InvoiceRecord) =>
  status !== "void" && (amount_credited === 0 || amount_credited < total_amount)

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** Returns the functions that check a business. */
export const makeRideChecks = Effect.fnUntraced(function* ({
  acting,
  allBookings,
  allInvoices,
  byHand,
  emulator,
  intents
}: RideBusiness) {
  const { run: check } = yield* MoneyCheck
  const accounts = yield* AccountRepository
  const ledger = yield* PaymentRepository
  const trips = yield* Trips
  /** The references of each booking and its trip, by which lines describe the ride. */
  const references = new Map<number, Set<string>>()

  /**
   * Checks that at most one invoice in force has an amount for each ride, that each booking follows its invoice, and that
   * every sum equals its ledger.
   */
  const consistent = Effect.gen(function* () {
    const bookings = yield* allBookings
    const invoices = yield* allInvoices
    for (const { booking_id, invoice_id, payment_status, reference, trip_id } of bookings) {
      const own = references.get(booking_id) ?? new Set<string>()
      references.set(booking_id, own.add(reference))
      const trip =
        trip_id === null ? undefined : yield* Effect.option(trips.get(acting, TripId.make(trip_id)))
      if (trip?._tag === "Some") own.add(trip.value.reference)
      const invoice = invoices.find((it) => it.invoice_id === invoice_id)
      assert.strictEqual(payment_status, invoice?.status ?? "unpaid", `payment status of ${reference}`)
      assert.isTrue(
        invoice === undefined ? invoice_id === null : isInForce(invoice),
        `invoice of ${reference}`
      )
    }
    for (const own of references.values()) {
      const charging = invoices.filter(
        (invoice) =>
          isInForce(invoice) &&
          invoice.items.some(
            ({ amount, description }) => amount > 0 && [...own].some((text) => description.startsWith(text))
          )
      )
      assert.isAtMost(
        charging.length,
        1,
        `${[...own].join(", ")} on ${charging.map((it) => it.number).join(", ")}`
      )
    }
    const page = yield* accounts.page([acting.business_id, 0 as InvoiceId], wholeList.perPage)
    const own = page.filter(({ invoice }) => invoice.business_id === acting.business_id)
    assert.deepStrictEqual(own.flatMap(differencesOf), [])
  })

  /** Checks that every cent that was received is in the ledger or was returned, and that the check of money finds nothing. */
  const conserved = Effect.gen(function* () {
    const entries = (yield* Effect.forEach(yield* allInvoices, ({ invoice_id }) =>
      ledger.ofInvoice(acting.business_id, InvoiceId.make(invoice_id))
    )).flat()
    const of = (all: typeof entries, ...kinds: ReadonlyArray<string>) =>
      sum(all.filter(({ kind }) => kinds.includes(kind)).map(({ amount_minor }) => amount_minor))
    const returned = of(
      entries.filter(({ provider_id }) => provider_id === null),
      "refund",
      "excess_refund"
    )
    const isOwn = ({ payment_intent }: { readonly payment_intent: unknown }) =>
      typeof payment_intent === "string" && intents.has(payment_intent)
    const collected = sum(
      emulator
        .intents()
        .filter(({ id }) => intents.has(id))
        .map(({ amount_received }) => amount_received)
    )
    const givenBack = sum(
      emulator
        .refunds()
        .filter(isOwn)
        .map(({ amount }) => amount)
    )
    const balance =
      of(entries, "payment", "excess", "reversal", "excess_reversal") - of(entries, "refund", "excess_refund")
    assert.strictEqual(balance, byHand.received - returned + collected - givenBack)
    assert.isAtLeast(balance, 0)
    assert.strictEqual(cents(balance / 100), balance)
    const differences = (yield* check()).filter(({ business_id }) => business_id === acting.business_id)
    assert.deepStrictEqual(differences, [])
  })

  return { consistent, conserved }
})
