/** The statement that lists bookings, from the index of its filters. */
import type { SqlClient, Statement } from "effect/sql"
import {
  type BookingQuery,
  type BookingStatus,
  type BusinessId,
  bookingMachine,
  invoiceMachine
} from "@livery/domain"
import { instant } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { rowsInStatuses } from "./DueStatus.ts"

const bookingStatus = stateLiterals(bookingMachine)
const paymentStatuses = stateLiterals(invoiceMachine)

/** The stored statuses of bookings that may have this one, as literals: a pending booking may have expired. */
const storedAs = (status: BookingStatus): ReadonlyArray<string> =>
  (status === "expired" ? (["expired", "pending"] as const) : [status]).map((stored) => bookingStatus[stored])

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
  // The one booking of a reference is looked up first. A customer and a product may have as many bookings as the business.
  const isByPayment = reference === undefined && paymentStatus !== undefined
  const alias = isByPayment ? "p" : "b"
  const column = (name: string) => sql.literal(`${alias}.${name}`)
  const ofPayment =
    paymentStatus === undefined ? undefined : sql.literal(`= ${paymentStatuses[paymentStatus]}`)
  const conditions = [
    sql`${column("business_id")} = ${businessId}`,
    ...(isByPayment ? [] : [sql`b.deleted_at IS NULL`]),
    // A literal: for a parameter, PostgreSQL would expect as many bookings of a rare payment status as of a common one.
    ...(isByPayment && ofPayment !== undefined ? [sql`p.payment_status ${ofPayment}`] : []),
    ...(productId === undefined ? [] : [sql`${column("product_id")} = ${productId}`]),
    ...(customerId === undefined ? [] : [sql`${column("customer_id")} = ${customerId}`]),
    ...(reference === undefined ? [] : [sql`b.reference = ${reference}`]),
    ...(from === undefined ? [] : [sql`${column("starts_at")} >= ${instant(from)}`]),
    ...(before === undefined ? [] : [sql`${column("starts_at")} < ${instant(before)}`])
  ]
  const order = sql.literal(`${alias}.starts_at DESC, ${alias}.booking_id DESC`)
  const listed = rowsInStatuses(sql, {
    table: isByPayment ? "booking_payments" : "bookings",
    alias,
    conditions,
    statuses: status === undefined ? [] : storedAs(status),
    order
  })
  // Only a booking that is stored as pending can have another status by now.
  const isDueRead = status === "pending" || status === "expired"
  const where = [...listed.where, ...(isDueRead ? [hasStatus(status)] : [])]
  return isByPayment
    ? {
        from: sql`${listed.from} CROSS JOIN LATERAL (
          SELECT * FROM bookings WHERE business_id = ${businessId} AND booking_id = p.booking_id LIMIT 1) b`,
        ...(isDueRead ? {} : { countedFrom: listed.from }),
        where: sql.and(where),
        order
      }
    : {
        from: listed.from,
        where: sql.and([
          ...where,
          ...(ofPayment === undefined
            ? []
            : [
                sql`(
                  SELECT p.payment_status FROM booking_payments p
                  WHERE p.business_id = ${businessId} AND p.booking_id = b.booking_id) ${ofPayment}`
              ])
        ]),
        order
      }
}
