import { layer } from "@effect/vitest"
import {
  BookingRepository,
  type BookingQuery,
  type BusinessId,
  CustomerId,
  InvoiceRepository,
  type InvoiceQuery,
  maxCount,
  ProductId,
  type QuoteQuery,
  QuoteRepository
} from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "../../src/sql/Rows.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** How many records have the rare status of their kind. */
const rare = 100
const rows = maxCount + 2000
const now = at("10:00:00")
const page = { page: 1, perPage: 20 }

/** Invoices, quotes and bookings of one customer; the bookings are of one product. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql`generate_series(1, ${rows}::int) n ORDER BY random()`
  const statusOf = (few: string, many: string) =>
    sql.literal(`CASE WHEN n % ${Math.floor(rows / rare)} = 0 THEN '${few}' ELSE '${many}' END`)
  const [made] = yield* sql<{ readonly customer_id: number; readonly product_id: number }>`
    WITH customer AS (
      INSERT INTO customers (business_id, name, created_at, updated_at) VALUES (${business}, 'Ada', now(), now())
      RETURNING customer_id
    ), product AS (
      INSERT INTO products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
      VALUES (${business}, 'Tour', 'tour', 100, 'CHF', 90, true, now(), now()) RETURNING product_id
    )
    SELECT customer_id, product_id FROM customer, product`
  const customerId = CustomerId.make(made?.customer_id ?? 0)
  const productId = ProductId.make(made?.product_id ?? 0)
  yield* sql`
    INSERT INTO invoices (business_id, number, customer_id, status, currency, payment_hash, created_at, updated_at)
    SELECT ${business}, 'INV-' || lpad(n::text, 6, '0'), ${customerId}, ${statusOf("unpaid", "paid")}, 'CHF', 'none ' || n, now(), now()
    FROM ${numbers}`
  yield* sql`
    INSERT INTO quotes (business_id, reference, status, version, customer_id, currency, items, created_at, updated_at)
    SELECT ${business}, 'Q-' || n, ${statusOf("draft", "rejected")}, 1, ${customerId}, 'CHF', '[]',
      now() - n * interval '1 minute', now()
    FROM ${numbers}`
  // Completed bookings are paid, and the others are not. A few that are stored as pending have expired.
  const step = Math.floor(rows / rare)
  yield* sql`
    WITH paid AS (
      INSERT INTO invoices (business_id, number, status, currency, total_minor, payment_hash, created_at, updated_at)
      VALUES (${business}, 'INV-000000', 'paid', 'CHF', 100, 'none', now(), now()) RETURNING invoice_id
    )
    INSERT INTO bookings (business_id, reference, status, product_id, starts_at, ends_at, participants_count, customer_id,
      total_minor, currency, expires_at, invoice_id, created_at, updated_at)
    SELECT ${business}, 'B-' || n, CASE n % ${step}::int WHEN 0 THEN 'pending' WHEN 1 THEN 'expired' ELSE 'completed' END, ${productId},
      now() - n * interval '1 minute', now(), 2, ${customerId}, 100, 'CHF',
      CASE WHEN n % ${step * 20}::int = 0 THEN ${instant(now)}::timestamptz END,
      CASE WHEN n % ${step}::int > 1 THEN (SELECT invoice_id FROM paid) END, now(), now()
    FROM ${numbers}`
  return { customerId, productId }
})

layer(TestPersistence)("the sales of a large business", (it) => {
  it.effect(
    "are listed by the records that a rare filter finds, and no more than the page of a common one",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const business = yield* newBusiness()
        const { customerId, productId } = yield* populate(business)
        for (const table of ["invoices", "quotes", "bookings", "booking_payments"])
          yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
        const { list: bookings } = yield* BookingRepository
        const { list: quotes } = yield* QuoteRepository
        const { list: invoices } = yield* InvoiceRepository
        const ofBookings = (query: BookingQuery) => bookings(business, query, now, page)
        const ofQuotes = (query: QuoteQuery) => quotes(business, query, now, page)
        const ofInvoices = (query: InvoiceQuery) => invoices(business, query, page)
        yield* assertBounded([
          ["all bookings", ofBookings({}), 20, 100, 300],
          ["pending bookings", ofBookings({ status: "pending" }), 20, 200, 600],
          ["completed bookings", ofBookings({ status: "completed" }), 20, 100, 300],
          ["expired bookings", ofBookings({ status: "expired" }), 20, 400, 1200],
          ["expired bookings of a product", ofBookings({ productId, status: "expired" }), 20, 400, 1200],
          ["cancelled bookings", ofBookings({ status: "cancelled" }), 0, 10, 30],
          ["unpaid bookings", ofBookings({ paymentStatus: "unpaid" }), 20, 300, 900],
          ["paid bookings", ofBookings({ paymentStatus: "paid" }), 20, 100, 300],
          [
            "unpaid expired bookings",
            ofBookings({ paymentStatus: "unpaid", status: "expired" }),
            20,
            800,
            2400
          ],
          [
            "partly paid bookings of a product",
            ofBookings({ paymentStatus: "partial", productId }),
            0,
            10,
            30
          ],
          ["unpaid bookings of a product", ofBookings({ paymentStatus: "unpaid", productId }), 20, 300, 900],
          ["paid bookings of a product", ofBookings({ paymentStatus: "paid", productId }), 20, 100, 300],
          [
            "unpaid bookings of a customer",
            ofBookings({ paymentStatus: "unpaid", customerId }),
            20,
            300,
            900
          ],
          [
            "unpaid pending bookings of a product",
            ofBookings({ paymentStatus: "unpaid", productId, status: "pending" }),
            20,
            800,
            2400
          ],
          ["the payment of one booking", ofBookings({ paymentStatus: "paid", reference: "B-5" }), 1, 10, 30],
          ["bookings of a product", ofBookings({ productId }), 20, 100, 300],
          ["pending bookings of a product", ofBookings({ productId, status: "pending" }), 20, 200, 600],
          ["bookings of a customer", ofBookings({ customerId }), 20, 100, 300],
          ["pending bookings of a customer", ofBookings({ customerId, status: "pending" }), 20, 200, 600],
          ["one booking", ofBookings({ reference: "B-5" }), 1, 10, 30],
          ["all quotes", ofQuotes({}), 20, 100, 300],
          ["drafts", ofQuotes({ status: "draft" }), 20, 200, 600],
          ["rejected quotes", ofQuotes({ status: "rejected" }), 20, 100, 300],
          ["expired quotes", ofQuotes({ status: "expired" }), 0, 300, 900],
          ["expired quotes of a customer", ofQuotes({ customerId, status: "expired" }), 0, 300, 900],
          ["quotes of a customer", ofQuotes({ customerId }), 20, 100, 300],
          ["drafts of a customer", ofQuotes({ customerId, status: "draft" }), 20, 200, 600],
          ["one quote", ofQuotes({ reference: "Q-5" }), 1, 10, 30],
          ["all invoices", ofInvoices({}), 20, 100, 300],
          ["unpaid invoices", ofInvoices({ status: "unpaid" }), 20, 200, 600],
          ["paid invoices", ofInvoices({ status: "paid" }), 20, 100, 300],
          ["void invoices", ofInvoices({ status: "void" }), 0, 10, 30],
          ["invoices of a customer", ofInvoices({ customerId }), 20, 100, 300]
        ])
      })
  )
})
