/** The contract of `RemittanceRepository`. */
import {
  AccountRepository,
  type BusinessId,
  Currency,
  InvoiceRepository,
  type NewRemittance,
  PaymentRepository,
  RemittanceRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const currency = Currency.make("USD")

/** A new business, with a function that stores a remittance of an entry of 400. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const payments = yield* PaymentRepository
  const remittances = yield* RemittanceRepository
  const { invoice_id } = yield* invoices.insert(invoiceDraft(business), now)
  const entry = payments.append(
    {
      business_id: business,
      invoice_id,
      kind: "excess",
      amount_minor: 400,
      currency,
      method: "bank_transfer",
      received_at: now,
      reference: null,
      refund_of: null,
      provider_id: null
    },
    now
  )
  const remittance = (business_id: BusinessId, amount_minor: number): NewRemittance => ({
    business_id,
    amount_minor,
    currency,
    method: "bank_transfer",
    received_at: now,
    reference: "R-1"
  })
  const insert = Effect.fnUntraced(function* (amount = 400) {
    const made = yield* entry
    return {
      entry: made,
      stored: yield* remittances.insert(remittance(business, amount), [made.payment_id], now)
    }
  })
  return { business, insert, remittance, remittances }
})

export const remittanceRepository = contract("remittances", (it) => {
  it.effect("are listed with the newest first, each with its entries, in their own business only", () =>
    Effect.gen(function* () {
      const { business, insert, remittance, remittances } = yield* given
      const [one, two] = [yield* insert(), yield* insert()]
      assert.deepStrictEqual(one.stored, {
        ...remittance(business, 400),
        remittance_id: one.stored.remittance_id,
        created_at: now
      })
      const { remittance_id } = one.stored
      assert.deepStrictEqual(yield* remittances.find(business, remittance_id), Option.some(one.stored))
      assert.deepStrictEqual(yield* remittances.list(business, { page: 1, perPage: 1 }), {
        items: [two.stored],
        total: 2,
        hasMore: true
      })
      assert.deepStrictEqual(
        yield* remittances.entriesOf(business, [two.stored.remittance_id, remittance_id]),
        [
          { remittance_id, entry: one.entry },
          { remittance_id: two.stored.remittance_id, entry: two.entry }
        ]
      )
      const other = yield* newBusiness
      assert.deepStrictEqual(yield* remittances.find(other, remittance_id), Option.none())
      assert.deepStrictEqual((yield* remittances.list(other, wholeList)).items, [])
      assert.deepStrictEqual(yield* remittances.entriesOf(other, [remittance_id]), [])
    })
  )

  it.effect("whose amount is not the sum of their entries are found", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountRepository
      const { business, insert } = yield* given
      yield* insert()
      const { stored } = yield* insert(500)
      assert.deepStrictEqual(
        (yield* accounts.unequalRemittances).filter(({ business_id }) => business_id === business),
        [
          {
            business_id: business,
            remittance_id: stored.remittance_id,
            amount_minor: 500,
            entered_minor: 400
          }
        ]
      )
    })
  )
})
