/** The domain's `BookingRepository` on PostgreSQL. */
import { Array, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  Booking,
  type BookingId,
  bookingMachine,
  BookingRepository,
  type BusinessId,
  invoiceMachine
} from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { bookingListSql } from "./BookingListSql.ts"
import { hasStatus } from "./DueStatus.ts"

const bookings = rowsAs(Booking)
const pageOfBookings = pagesOf(Booking)
const keys = rowsAs(
  Schema.Struct({
    business_id: Booking.fields.business_id,
    product_id: Booking.fields.product_id,
    booking_id: Booking.fields.booking_id
  })
)

const bookingStatus = stateLiterals(bookingMachine)
const invoiceStatus = stateLiterals(invoiceMachine)

/** A column of the trip of a booking; without a trip, of its invoice, unless that is void or was credited in full. */
const ofTrip = (column: string) =>
  `(SELECT t.${column} FROM trips t WHERE t.business_id = ${business} AND t.trip_id = b.trip_id)`
const ofInvoice = (column: string) =>
  `(SELECT i.${column} FROM invoices i
    WHERE i.business_id = ${business} AND i.invoice_id = b.invoice_id AND i.voided_at IS NULL
      AND (i.credited_minor = 0 OR i.credited_minor < i.total_minor))`
const paidWith = (column: string, ofTheInvoice = column) =>
  `CASE WHEN b.trip_id IS NULL THEN ${ofInvoice(ofTheInvoice)} ELSE ${ofTrip(column)} END`
const expressions = {
  invoice_id: paidWith("invoice_id"),
  payment_status: `coalesce(${paidWith("payment_status", "status")}, ${invoiceStatus.unpaid})`
}

/**
 * Whether a booking `b` is expired at `now`, by the rule of `bookingAt`; `owner` is the id of its business. The payments
 * of a pending booking are on its invoice, which is looked up by a subquery that returns a value: for EXISTS, PostgreSQL might
 * read all invoices.
 */
const isDue = (sql: SqlClient.SqlClient, now: DateTime.Utc, owner: Statement.Fragment) => sql`
  (b.status = ${sql.literal(bookingStatus.pending)} AND b.expires_at <= ${instant(now)} AND (
    SELECT i.invoice_id FROM invoices i
    WHERE i.business_id = ${owner} AND i.invoice_id = b.invoice_id AND i.voided_at IS NULL
      AND (i.credited_minor = 0 OR i.credited_minor < i.total_minor) AND i.status <> ${sql.literal(invoiceStatus.unpaid)}) IS NULL)`

const insertedNames = Object.keys(Booking.fields).filter(
  (name) => name !== "booking_id" && name !== "payment_status"
)
/** The columns that an update never sets. */
const immutable = new Set([
  "business_id",
  "booking_id",
  "reference",
  "payment_status",
  "product_id",
  "created_at"
])
const updatedNames = Object.keys(Booking.fields).filter((name) => !immutable.has(name))

export const layer = Layer.effect(
  BookingRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = forBusiness(sql, columnsOf(Booking, "b", expressions))
    const key = sql.literal("business_id, product_id, booking_id")

    const liveBooking = (businessId: BusinessId, bookingId: BookingId) =>
      sql`business_id = ${businessId} AND booking_id = ${bookingId} AND deleted_at IS NULL`

    return BookingRepository.of({
      insert: (booking) =>
        Effect.map(
          bookings(sql`
            INSERT INTO bookings AS b ${sql.insert(valuesOf(insertedNames, booking))}
            ON CONFLICT (business_id, reference) DO NOTHING RETURNING ${columns(booking.business_id)}`),
          Array.head
        ),
      list: (businessId, query, now, page) => {
        const listing = bookingListSql(sql, businessId, query, (status) =>
          hasStatus(sql, sql`b.status`, bookingStatus, status, isDue(sql, now, sql`${businessId}`))
        )
        return pageOfBookings(sql, page, { columns: columns(businessId), ...listing })
      },
      find: (businessId, bookingId) =>
        Effect.map(
          bookings(
            sql`SELECT ${columns(businessId)} FROM bookings b WHERE ${liveBooking(businessId, bookingId)}`
          ),
          Array.head
        ),
      lock: (businessId, bookingId) =>
        Effect.map(
          bookings(
            sql`
              SELECT ${columns(businessId)} FROM bookings b WHERE ${liveBooking(businessId, bookingId)}
              FOR NO KEY UPDATE`
          ),
          Array.head
        ),
      update: (booking) =>
        execute(sql`
            UPDATE bookings SET ${sql.update(valuesOf(updatedNames, booking))}
            WHERE ${liveBooking(booking.business_id, booking.booking_id)}`),
      remove: (businessId, bookingId, now) =>
        execute(
          sql`UPDATE bookings SET deleted_at = ${instant(now)} WHERE ${liveBooking(businessId, bookingId)}`
        ),
      hasTrip: (businessId, tripId) =>
        Effect.map(
          keys(sql`
            SELECT ${key} FROM bookings WHERE business_id = ${businessId} AND trip_id = ${tripId} LIMIT 1`),
          Array.isReadonlyArrayNonEmpty
        ),
      dueOfProduct: (businessId, productId, now) =>
        keys(sql`
          SELECT ${key} FROM bookings b
          WHERE business_id = ${businessId} AND product_id = ${productId} AND deleted_at IS NULL
            AND ${isDue(sql, now, sql`${businessId}`)}
          ORDER BY booking_id`),
      due: (now, limit) =>
        keys(sql`
          SELECT ${key} FROM bookings b
          WHERE deleted_at IS NULL AND ${isDue(sql, now, sql`b.business_id`)}
          ORDER BY expires_at LIMIT ${limit}`)
    })
  })
)
