import { Array, Effect, Option, Schema } from "effect"
import { Booking, type BookingId, BookingRepository, type BusinessId, type NewBooking } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { bookingListSql } from "./BookingListSql.ts"
import { bookingStatus, invoiceStatus, isDue, ofPayment, paymentColumns } from "./DueBookings.ts"
import { hasStatus } from "./DueStatus.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const bookings = rowsAs(Booking)
const pageOfBookings = pagesOf(Booking)
const keys = rowsAs(
  Schema.Struct({
    business_id: Booking.fields.business_id,
    product_id: Booking.fields.product_id,
    booking_id: Booking.fields.booking_id
  })
)

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
  "invoice_id",
  "created_at"
])
const updatedNames = Object.keys(Booking.fields).filter((name) => !immutable.has(name))

export const layer = onPostgres(BookingRepository, (sql) => {
  const columns = forBusiness(sql, columnsOf(Booking, "b", paymentColumns))
  const columnsWithPayment = sql.literal(
    columnsOf(Booking, "b", { invoice_id: "p.invoice_id", payment_status: "p.payment_status" })
  )
  const paymentOf = forBusiness(sql, paymentColumns.payment_status)
  const paymentOfList = sql.literal("p.payment_status")
  const paymentOfEach = sql.literal(ofPayment("payment_status", "b.business_id"))
  const key = sql.literal("business_id, product_id, booking_id")

  const ofBooking = (businessId: BusinessId, bookingId: BookingId) =>
    sql`business_id = ${businessId} AND booking_id = ${bookingId}`
  const liveBooking = (businessId: BusinessId, bookingId: BookingId) =>
    sql`${ofBooking(businessId, bookingId)} AND deleted_at IS NULL`

  /** The columns of `booking_payments` that are copied from a booking, because the indexes of the list have them. */
  const copied = ({ customer_id, starts_at, status }: NewBooking) => ({
    status,
    starts_at: instant(starts_at),
    customer_id
  })

  const insert = Effect.fnUntraced(function* (booking: NewBooking) {
    const { business_id, invoice_id, payment_status, product_id } = booking
    const [made] = yield* keys(sql`
      INSERT INTO bookings ${sql.insert(valuesOf(insertedNames, booking))}
      ON CONFLICT (business_id, reference) DO NOTHING RETURNING ${key}`)
    if (made === undefined) return Option.none<Booking>()
    const { booking_id } = made
    const payment = { business_id, booking_id, invoice_id, payment_status, product_id, ...copied(booking) }
    yield* execute(sql`INSERT INTO booking_payments ${sql.insert(payment)}`)
    return Option.some({ ...booking, booking_id })
  })

  const update = Effect.fnUntraced(function* (booking: Booking) {
    const { booking_id, business_id } = booking
    yield* execute(sql`
      UPDATE bookings SET ${sql.update(valuesOf(updatedNames, booking))}
      WHERE ${liveBooking(business_id, booking_id)}`)
    yield* execute(sql`
      UPDATE booking_payments SET ${sql.update(copied(booking))} WHERE ${ofBooking(business_id, booking_id)}`)
  })

  return {
    insert,
    list: (businessId, query, now, page) => {
      const { isFoundByPayment, ...listing } = bookingListSql(sql, businessId, query, (status, byPayment) =>
        hasStatus(
          sql,
          sql`b.status`,
          bookingStatus,
          status,
          isDue(sql, now, byPayment ? paymentOfList : paymentOf(businessId))
        )
      )
      return pageOfBookings(sql, page, {
        columns: isFoundByPayment ? columnsWithPayment : columns(businessId),
        ...listing
      })
    },
    find: (businessId, bookingId) =>
      firstOf(
        bookings(
          sql`SELECT ${columns(businessId)} FROM bookings b WHERE ${liveBooking(businessId, bookingId)}`
        )
      ),
    lock: (businessId, bookingId) =>
      firstOf(
        bookings(
          sql`
            SELECT ${columns(businessId)} FROM bookings b WHERE ${liveBooking(businessId, bookingId)}
            FOR NO KEY UPDATE`
        )
      ),
    update,
    setInvoice: (businessId, bookingId, invoiceId) =>
      Effect.andThen(
        execute(
          sql`UPDATE bookings SET invoice_id = ${invoiceId} WHERE ${liveBooking(businessId, bookingId)}`
        ),
        execute(sql`
          UPDATE booking_payments SET invoice_id = ${invoiceId}, payment_status = ${sql.literal(invoiceStatus.unpaid)}
          WHERE ${ofBooking(businessId, bookingId)}`)
      ),
    remove: (businessId, bookingId, now) =>
      Effect.andThen(
        execute(
          sql`UPDATE bookings SET deleted_at = ${instant(now)} WHERE ${liveBooking(businessId, bookingId)}`
        ),
        execute(sql`DELETE FROM booking_payments WHERE ${ofBooking(businessId, bookingId)}`)
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
          AND ${isDue(sql, now, paymentOf(businessId))}
        ORDER BY booking_id`),
    due: (now, limit) =>
      keys(sql`
        SELECT ${key} FROM bookings b
        WHERE deleted_at IS NULL AND ${isDue(sql, now, paymentOfEach)}
        ORDER BY expires_at LIMIT ${limit}`)
  }
})
