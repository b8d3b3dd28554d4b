/** The statement that lists bookings, from the index of its filters. */
import type { SqlClient, Statement } from "effect/sql"
import type { BookingQuery, BookingStatus, BusinessId } from "@livery/domain"
import { instant } from "../sql/Rows.ts"

/** The stored statuses of bookings that may have this one: a pending booking may have expired. */
const storedAs = (status: BookingStatus): ReadonlyArray<BookingStatus> =>
  status === "expired" ? ["expired", "pending"] : [status]

/**
 * The parts of the statement that lists bookings `b`. `hasStatus` is the condition on the status of `b`. With a payment
 * status, the bookings are found through `booking_payments`. LIMIT 1 makes PostgreSQL look up each booking by its key; for
 * a join it might read all bookings.
 */
export const bookingListSql = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  { before, customerId, from, paymentStatus, productId, reference, status }: BookingQuery,
  hasStatus: (status: BookingStatus) => Statement.Fragment
) => {
  // A customer, a product or a reference has fewer bookings than a payment status.
  const isByPayment =
    customerId === undefined &&
    productId === undefined &&
    reference === undefined &&
    paymentStatus !== undefined
  const ordered = sql.literal(isByPayment ? "p" : "b")
  const conditions = [
    ...(from === undefined ? [] : [sql`${ordered}.starts_at >= ${instant(from)}`]),
    ...(before === undefined ? [] : [sql`${ordered}.starts_at < ${instant(before)}`]),
    ...(status === undefined ? [] : [hasStatus(status)])
  ]
  const order = sql`${ordered}.starts_at DESC, ${ordered}.booking_id DESC`
  if (isByPayment) {
    return {
      from: sql`booking_payments p CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE business_id = ${businessId} AND booking_id = p.booking_id LIMIT 1) b`,
      where: sql.and([
        sql`p.business_id = ${businessId}`,
        sql`p.payment_status = ${paymentStatus}`,
        ...(status === undefined ? [] : [sql`p.status IN ${sql.in(storedAs(status))}`]),
        ...conditions
      ]),
      order
    }
  }
  return {
    from: sql`bookings b`,
    where: sql.and([
      sql`b.business_id = ${businessId}`,
      sql`b.deleted_at IS NULL`,
      ...(productId === undefined ? [] : [sql`b.product_id = ${productId}`]),
      ...(customerId === undefined ? [] : [sql`b.customer_id = ${customerId}`]),
      ...(reference === undefined ? [] : [sql`b.reference = ${reference}`]),
      ...(paymentStatus === undefined
        ? []
        : [
            sql`(
              SELECT p.payment_status FROM booking_payments p
              WHERE p.business_id = ${businessId} AND p.booking_id = b.booking_id) = ${paymentStatus}`
          ]),
      ...conditions
    ]),
    order
  }
}
