/** The contract of `QuoteRepository`. */
import { type BusinessId, Currency, type NewQuote, QuoteRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import { newBusiness, newCustomer, newTrip, now, wholeList } from "./Given.ts"

const quoteOf = (business_id: BusinessId, change: Partial<NewQuote> = {}): NewQuote => ({
  business_id,
  reference: unique("QU"),
  status: "draft",
  version: 1,
  customer_id: null,
  customer_name: "Ada",
  customer_email: null,
  customer_phone: null,
  currency: Currency.make("USD"),
  valid_until: null,
  items: [
    {
      description: "Ride",
      trip: { trip_date: "2026-12-24T18:00:00Z", stops: [1, null] },
      amount_minor: 900,
      fare: null
    }
  ],
  notes: null,
  sent_at: null,
  accepted_at: null,
  accepted_by: null,
  accepted_address: null,
  rejected_at: null,
  reject_reason: null,
  converted_at: null,
  token_hash: null,
  created_at: now,
  updated_at: now,
  ...change
})

/** A new quote of a business. */
export const newQuote = Effect.fnUntraced(function* (businessId: BusinessId, change: Partial<NewQuote> = {}) {
  const quotes = yield* QuoteRepository
  return Option.getOrThrow(yield* quotes.insert(quoteOf(businessId, change)))
})

export const quoteRepository = contract("a quote", (it) => {
  it.effect("is returned as stored, to its own business alone", () =>
    Effect.gen(function* () {
      const quotes = yield* QuoteRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const quote = yield* newQuote(business, { customer_id: yield* newCustomer(business) })
      assert.deepStrictEqual(
        yield* quotes.insert(quoteOf(business, { reference: quote.reference })),
        Option.none()
      )
      const changed = {
        ...quote,
        status: "sent" as const,
        token_hash: unique("hash"),
        sent_at: now,
        version: 2
      }
      yield* quotes.update(changed)
      for (const read of [quotes.find, quotes.lock]) {
        assert.deepStrictEqual(yield* read(business, quote.quote_id), Option.some(changed))
        assert.deepStrictEqual(yield* read(other, quote.quote_id), Option.none())
      }
      assert.deepStrictEqual(yield* quotes.findByToken(business, changed.token_hash), Option.some(changed))
      assert.deepStrictEqual(yield* quotes.findByToken(other, changed.token_hash), Option.none())
      const { trip_id } = yield* newTrip(business)
      yield* quotes.addTrips(business, quote.quote_id, [trip_id])
      assert.deepStrictEqual(
        yield* quotes.find(business, quote.quote_id),
        Option.some({ ...changed, trip_ids: [trip_id] })
      )
      yield* quotes.remove(business, quote.quote_id, now)
      assert.deepStrictEqual(yield* quotes.find(business, quote.quote_id), Option.none())
      assert.deepStrictEqual(yield* quotes.findByToken(business, changed.token_hash), Option.none())
    })
  )

  it.effect(
    "is listed, the newest first, by its customer, its reference, its creation and its status at the time",
    () =>
      Effect.gen(function* () {
        const quotes = yield* QuoteRepository
        const business = yield* newBusiness
        const customer_id = yield* newCustomer(business)
        const due = at("10:00:00")
        const one = yield* newQuote(business, { customer_id, valid_until: due })
        const two = yield* newQuote(business, { status: "accepted", valid_until: due })
        const early = at("09:00:00")
        const three = yield* newQuote(business, { status: "rejected", created_at: early })
        yield* newQuote(yield* newBusiness, { reference: unique("QU"), created_at: early })
        const listed = (filter: Parameters<typeof quotes.list>[1], time = now) =>
          Effect.map(quotes.list(business, filter, time, wholeList), ({ items }) =>
            items.map(({ quote_id }) => quote_id)
          )
        assert.deepStrictEqual(yield* listed({}), [two.quote_id, one.quote_id, three.quote_id])
        assert.deepStrictEqual(yield* listed({ customerId: customer_id }), [one.quote_id])
        assert.deepStrictEqual(yield* listed({ reference: two.reference }), [two.quote_id])
        assert.deepStrictEqual(yield* listed({ reference: two.reference, status: "sent" }), [])
        assert.deepStrictEqual(yield* listed({ from: early, before: now }), [three.quote_id])
        assert.deepStrictEqual(yield* listed({ from: now }), [two.quote_id, one.quote_id])
        assert.deepStrictEqual(yield* listed({ status: "draft" }), [one.quote_id])
        assert.deepStrictEqual(yield* listed({ status: "draft" }, due), [])
        assert.deepStrictEqual(yield* listed({ status: "expired" }, due), [one.quote_id])
        assert.deepStrictEqual(yield* listed({ status: "accepted" }, due), [two.quote_id])
      })
  )

  it.effect("is marked as expired once it is due, unless it was answered", () =>
    Effect.gen(function* () {
      const quotes = yield* QuoteRepository
      const business = yield* newBusiness
      const due = at("10:00:00")
      // Quotes of the other tests.
      yield* quotes.expireDue(due, 1000)
      const open = yield* Effect.forEach(["draft", "sent"] as const, (status) =>
        newQuote(business, { status, valid_until: due })
      )
      const kept = yield* Effect.forEach(
        [{ valid_until: at("10:00:01") }, {}, { status: "accepted" as const, valid_until: due }],
        (change) => newQuote(business, change)
      )
      assert.strictEqual(yield* quotes.expireDue(at("09:59:59"), 100), 0)
      assert.strictEqual(yield* quotes.expireDue(due, 1), 1)
      assert.strictEqual(yield* quotes.expireDue(due, 100), 1)
      assert.strictEqual(yield* quotes.expireDue(due, 100), 0)
      for (const { quote_id } of open)
        assert.strictEqual(Option.getOrThrow(yield* quotes.find(business, quote_id)).status, "expired")
      for (const quote of kept)
        assert.deepStrictEqual(yield* quotes.find(business, quote.quote_id), Option.some(quote))
    })
  )
})
