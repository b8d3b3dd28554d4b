import { layer } from "@effect/vitest"
import {
  BookingRepository,
  type BookingQuery,
  type BusinessId,
  CustomerId,
  InvoiceRepository,
  type InvoiceQuery,
  ProductId,
  type QuoteQuery,
  QuoteRepository
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { payBookings } from "./PaidBookings.ts"
import { instant } from "../../src/sql/rows/Rows.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** How many records have the rare status of their kind. */
const rare = 100
const rows = 12_000
const now = at("10:00:00")
const page = { page: 1, perPage: 20 }

/** How many records the first other customer and product have. */
const few = 10
const others = 100

/** Invoices, quotes and bookings of one customer; the bookings are of one product. Every eleventh is of others. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql`generate_series(1, ${rows}::int) n ORDER BY random()`
  const statusOf = (few: string, many: string) =>
    sql.literal(`CASE WHEN n % ${Math.floor(rows / rare)} = 0 THEN '${few}' ELSE '${many}' END`)
  const made = yield* sql<{ readonly customer_id: number; readonly product_id: number }>`
    WITH made_customers AS (
      INSERT INTO customers (business_id, name, created_at, updated_at)
      SELECT ${business}, 'Ada', now(), now() FROM generate_series(0, ${others}::int) RETURNING customer_id
    ), made_products AS (
      INSERT INTO products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
      SELECT ${business}, 'Tour', 'tour', 100, 'CHF', 90, true, now(), now() FROM generate_series(0, ${others}::int)
      RETURNING product_id
    )
    SELECT customer_id, product_id FROM (SELECT customer_id, row_number() OVER () AS n FROM made_customers) c
    JOIN (SELECT product_id, row_number() OVER () AS n FROM made_products) p USING (n)`
  const [customers, products] = [made.map((row) => row.customer_id), made.map((row) => row.product_id)]
  const ownerOf = (ids: ReadonlyArray<number>) =>
    sql`(${ids}::bigint[])[CASE WHEN n % 11 = 0 THEN 2 + n / 11 % ${others}::int ELSE 1 END]`
  const [customer, product] = [ownerOf(customers), ownerOf(products)]
  yield* sql`
    INSERT INTO invoices (business_id, number, customer_id, status, currency, payment_hash, created_at, updated_at)
    SELECT ${business}, 'INV-' || lpad(n::text, 6, '0'), ${customer}, ${statusOf("unpaid", "paid")}, 'CHF', 'none ' || n,
      ${instant(now)}::timestamptz + n * interval '1 minute', now()
    FROM ${numbers}`
  yield* sql`
    INSERT INTO quotes (business_id, reference, status, version, customer_id, currency, items, created_at, updated_at)
    SELECT ${business}, 'Q-' || n, ${statusOf("draft", "rejected")}, 1, ${customer}, 'CHF', '[]',
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
    SELECT ${business}, 'B-' || n, CASE n % ${step}::int WHEN 0 THEN 'pending' WHEN 1 THEN 'expired' ELSE 'completed' END, ${product},
      now() - n * interval '1 minute', now(), 2, ${customer}, 100, 'CHF',
      CASE WHEN n % ${step * 20}::int = 0 THEN ${instant(now)}::timestamptz END,
      CASE WHEN n % ${step}::int > 1 THEN (SELECT invoice_id FROM paid) END, now(), now()
    FROM ${numbers}`
  yield* payBookings(business)
  const pairOf = (index: number) => ({
    customerId: CustomerId.make(customers[index] ?? 0),
    productId: ProductId.make(products[index] ?? 0)
  })
  return { main: pairOf(0), other: pairOf(1) }
})

layer(TestPersistence)("the sales of a large business", (it) => {
  it.effect(
    "are listed by the records that a rare filter finds, or no more than the page of a common one, by plans that sessions keep",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const business = yield* newBusiness()
        const { main, other } = yield* populate(business)
        const { customerId, productId } = main
        for (const table of ["invoices", "quotes", "bookings", "booking_payments"])
          yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
        const { list: bookings } = yield* BookingRepository
        const { list: quotes } = yield* QuoteRepository
        const { list: invoices } = yield* InvoiceRepository
        const ofBookings = (query: BookingQuery) => bookings(business, query, now, page)
        const ofQuotes = (query: QuoteQuery) => quotes(business, query, now, page)
        const ofInvoices = (query: InvoiceQuery) => invoices(business, query, page)
        const before = DateTime.add(now, { minutes: rows - 500 })
        const someDays = {
          from: DateTime.add(now, { minutes: 5900 }),
          before: DateTime.add(now, { minutes: 6000 })
        }
        yield* assertBounded([
          ["all bookings", ofBookings({}), 20, 4500, 6000],
          ["pending bookings", ofBookings({ status: "pending" }), 20, 4500, 6000],
          ["completed bookings", ofBookings({ status: "completed" }), 20, 4500, 6000],
          ["expired bookings", ofBookings({ status: "expired" }), 20, 4500, 6000],
          ["expired bookings of a product", ofBookings({ productId, status: "expired" }), 20, 9000, 10500],
          ["cancelled bookings", ofBookings({ status: "cancelled" }), 0, 10, 30],
          ["unpaid bookings", ofBookings({ paymentStatus: "unpaid" }), 20, 4500, 6000],
          ["paid bookings", ofBookings({ paymentStatus: "paid" }), 20, 4500, 6000],
          [
            "unpaid expired bookings",
            ofBookings({ paymentStatus: "unpaid", status: "expired" }),
            20,
            2100,
            4100
          ],
          [
            "partly paid bookings of a product",
            ofBookings({ paymentStatus: "partial", productId }),
            0,
            10,
            30
          ],
          [
            "unpaid bookings of a product",
            ofBookings({ paymentStatus: "unpaid", productId }),
            20,
            4500,
            6000
          ],
          ["paid bookings of a product", ofBookings({ paymentStatus: "paid", productId }), 20, 4500, 6000],
          [
            "unpaid bookings of a customer",
            ofBookings({ paymentStatus: "unpaid", customerId }),
            20,
            4500,
            6000
          ],
          [
            "unpaid pending bookings of a product",
            ofBookings({ paymentStatus: "unpaid", productId, status: "pending" }),
            20,
            2100,
            4100
          ],
          ["the payment of one booking", ofBookings({ paymentStatus: "paid", reference: "B-5" }), 1, 10, 30],
          ["bookings of a product", ofBookings({ productId }), 20, 4500, 6000],
          ["pending bookings of a product", ofBookings({ productId, status: "pending" }), 20, 4500, 6000],
          ["bookings of a customer", ofBookings({ customerId }), 20, 4500, 6000],
          ["pending bookings of a customer", ofBookings({ customerId, status: "pending" }), 20, 4500, 6000],
          ["bookings of another product", ofBookings({ productId: other.productId }), few, 100, 300],
          ["bookings of another customer", ofBookings({ customerId: other.customerId }), few, 100, 300],
          ["one booking", ofBookings({ reference: "B-5" }), 1, 10, 30],
          ["all quotes", ofQuotes({}), 20, 4500, 6000],
          ["drafts", ofQuotes({ status: "draft" }), 20, 4500, 6000],
          ["rejected quotes", ofQuotes({ status: "rejected" }), 20, 4500, 6000],
          ["expired quotes", ofQuotes({ status: "expired" }), 0, 300, 900],
          ["expired quotes of a customer", ofQuotes({ customerId, status: "expired" }), 0, 300, 900],
          ["quotes of a customer", ofQuotes({ customerId }), 20, 4500, 6000],
          ["drafts of a customer", ofQuotes({ customerId, status: "draft" }), 20, 4500, 6000],
          ["quotes of another customer", ofQuotes({ customerId: other.customerId }), few, 100, 300],
          ["one quote", ofQuotes({ reference: "Q-5" }), 1, 10, 30],
          ["all invoices", ofInvoices({}), 20, 4500, 6000],
          ["unpaid invoices", ofInvoices({ status: "unpaid" }), 20, 4500, 6000],
          ["paid invoices", ofInvoices({ status: "paid" }), 20, 4500, 6000],
          ["void invoices", ofInvoices({ status: "void" }), 0, 10, 30],
          ["invoices of a customer", ofInvoices({ customerId }), 20, 4500, 6000],
          ["invoices of another customer", ofInvoices({ customerId: other.customerId }), few, 100, 300],
          ["invoices of some days", ofInvoices(someDays), 20, 4500, 6000],
          ["invoices of past days", ofInvoices({ before }), 20, 4500, 6000],
          ["unpaid invoices of past days", ofInvoices({ before, status: "unpaid" }), 20, 4500, 6000],
          ["paid invoices of past days", ofInvoices({ before, status: "paid" }), 20, 4500, 6000],
          ["invoices of a customer on past days", ofInvoices({ before, customerId }), 20, 4500, 6000],
          [
            "invoices of another customer on past days",
            ofInvoices({ before, customerId: other.customerId }),
            few,
            100,
            300
          ],
          [
            "unpaid invoices of a customer on past days",
            ofInvoices({ before, customerId, status: "unpaid" }),
            20,
            4500,
            6000
          ]
        ])
      })
  )
})
