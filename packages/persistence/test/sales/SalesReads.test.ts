import { assert, layer } from "@effect/vitest"
import { BookingRepository, BusinessId, QuoteRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { payBookings } from "./PaidBookings.ts"
import { readsOf } from "../support/ReadsOf.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const now = DateTime.makeUnsafe("2026-11-20T09:30:00Z")

/** The number of draft quotes and of pending bookings, and of those past their end. */
const rare = 10

/**
 * A business with that many quotes and bookings. They are an hour apart, the quotes by their creation and the bookings by their
 * start. All bookings but the pending ones are paid with one invoice.
 */
const selling = Effect.fnUntraced(function* (rows: number) {
  const sql = yield* SqlClient.SqlClient
  const business = BusinessId.make(yield* newBusiness())
  const at = sql`'2026-11-20T09:30:00Z'::timestamptz`
  const isRare = sql`n % ${rows / rare} IN (0, 1)`
  const end = sql`CASE n % ${rows / rare} WHEN 0 THEN ${at} + interval '1 hour' WHEN 1 THEN ${at} - interval '1 hour' END`
  yield* sql`
    INSERT INTO quotes (business_id, reference, status, version, currency, valid_until, items, created_at, updated_at)
    SELECT ${business}, 'Q-' || n, CASE WHEN ${isRare} THEN 'draft' ELSE 'rejected' END, 1, 'CHF', ${end}, '[]',
      ${at} + n * interval '1 hour', ${at}
    FROM generate_series(1, ${rows}) n`
  const [{ invoice } = { invoice: 0 }] = yield* sql<{ invoice: number }>`
    INSERT INTO invoices (business_id, number, status, currency, total_minor, payment_hash, created_at, updated_at)
    VALUES (${business}, 'INV-000001', 'paid', 'CHF', 100, 'hash', ${at}, ${at}) RETURNING invoice_id AS invoice`
  yield* sql`
    WITH product AS (
      INSERT INTO products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
      VALUES (${business}, 'Tour', 'tour', 100, 'CHF', 90, true, ${at}, ${at}) RETURNING product_id)
    INSERT INTO bookings (business_id, reference, status, product_id, starts_at, ends_at, participants_count, total_minor,
      currency, expires_at, invoice_id, created_at, updated_at)
    SELECT ${business}, 'B-' || n, CASE WHEN ${isRare} THEN 'pending' ELSE 'completed' END, product_id,
      ${at} + n * interval '1 hour', ${at} + (n + 1) * interval '1 hour', 1, 100, 'CHF', ${end},
      CASE WHEN ${isRare} THEN NULL ELSE ${invoice}::bigint END, ${at}, ${at}
    FROM product, generate_series(1, ${rows}) n`
  yield* payBookings(business)
  return business
})

layer(TestPersistence)("quotes and bookings in the database", (it) => {
  it.effect("are filtered without reading the others of the business", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [quotes, bookings] = [yield* QuoteRepository, yield* BookingRepository]
      const business = yield* selling(10_000)
      yield* selling(200)
      yield* sql`ANALYZE quotes, bookings, booking_payments`
      const page = { page: 1, perPage: 20 }
      const [from, before] = [DateTime.add(now, { hours: 500 }), DateTime.add(now, { hours: 510 })]
      const lists: ReadonlyArray<
        readonly [list: Effect.Effect<{ readonly items: ReadonlyArray<unknown> }>, expected: number]
      > = [
        [quotes.list(business, { status: "draft" }, now, page), rare],
        [quotes.list(business, { from, before }, now, page), 10],
        [quotes.list(business, { status: "rejected", from, before }, now, page), 10],
        [quotes.list(business, { reference: "Q-7" }, now, page), 1],
        [bookings.list(business, { status: "pending" }, now, page), rare],
        [bookings.list(business, { from, before }, now, page), 10],
        [bookings.list(business, { reference: "B-7" }, now, page), 1],
        [bookings.list(business, { reference: "B-7", paymentStatus: "paid" }, now, page), 1],
        // Those past their end are unpaid too.
        [bookings.list(business, { paymentStatus: "unpaid" }, now, page), 2 * rare],
        [bookings.list(business, { paymentStatus: "unpaid", status: "pending" }, now, page), rare],
        [bookings.list(business, { paymentStatus: "paid", from, before }, now, page), 10],
        [bookings.list(business, { paymentStatus: "paid", status: "completed", from, before }, now, page), 10]
      ]
      for (const [list, expected] of lists) {
        const { reads, result } = yield* readsOf(["quotes", "bookings", "booking_payments"], list)
        assert.strictEqual(result.items.length, expected)
        // A page and its total read each row of that filter once, also those that are past their end, from one table or
        // from two.
        assert.isAtMost(reads, 2 * 2 * 2 * rare)
      }
    })
  )
})
