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

/** The conditions of a query that the index of a list has, on the rows `alias`. */
const indexedConditions = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  { before, customerId, from, productId }: BookingQuery,
  alias: "b" | "p"
): ReadonlyArray<Statement.Fragment> => {
  const column = (name: string) => sql.literal(`${alias}.${name}`)
  return [
    sql`${column("business_id")} = ${businessId}`,
    ...(productId === undefined ? [] : [sql`${column("product_id")} = ${productId}`]),
    ...(customerId === undefined ? [] : [sql`${column("customer_id")} = ${customerId}`]),
    ...(from === undefined ? [] : [sql`${column("starts_at")} >= ${instant(from)}`]),
    ...(before === undefined ? [] : [sql`${column("starts_at")} < ${instant(before)}`])
  ]
}

/** The rows `alias` of a table that the conditions and the status of a query select, in the order of the list. */
const listedRows = (
  sql: SqlClient.SqlClient,
  { status }: BookingQuery,
  rows: {
    readonly table: "bookings" | "booking_payments"
    readonly alias: "b" | "p"
    readonly conditions: ReadonlyArray<Statement.Fragment>
  }
) => {
  const order = sql.literal(`${rows.alias}.starts_at DESC, ${rows.alias}.booking_id DESC`)
  const statuses = status === undefined ? [] : storedAs(status)
  return { ...rowsInStatuses(sql, { ...rows, statuses, order }), order }
}

/**
 * The parts of the statement that lists bookings `b`. `hasStatus` is the condition on the status of `b`. With a payment
 * status, the bookings are found through `booking_payments`, called `p` (`isFoundByPayment`). LIMIT 1 makes PostgreSQL look up each booking by its key; for
 * a join it might read all bookings.
 */
export const bookingListSql = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  query: BookingQuery,
  hasStatus: (status: BookingStatus, isFoundByPayment: boolean) => Statement.Fragment
) => {
  const { paymentStatus, reference, status } = query
  // The one booking of a reference is looked up first. A customer and a product may have as many bookings as the business.
  const isFoundByPayment = reference === undefined && paymentStatus !== undefined
  // Only a booking that is stored as pending can have another status by now.
  const dueConditions =
    status === "pending" || status === "expired" ? [hasStatus(status, isFoundByPayment)] : []
  const ofPayment =
    paymentStatus === undefined ? undefined : sql.literal(`= ${paymentStatuses[paymentStatus]}`)
  if (isFoundByPayment && ofPayment !== undefined) {
    const { from, order, where } = listedRows(sql, query, {
      table: "booking_payments",
      alias: "p",
      conditions: [
        ...indexedConditions(sql, businessId, query, "p"),
        // A literal: for a parameter, PostgreSQL would expect as many bookings of a rare payment status as of a common one.
        sql`p.payment_status ${ofPayment}`
      ]
    })
    return {
      isFoundByPayment,
      from: sql`${from} CROSS JOIN LATERAL (
          SELECT * FROM bookings WHERE business_id = ${businessId} AND booking_id = p.booking_id LIMIT 1) b`,
      ...(dueConditions.length > 0 ? {} : { countedFrom: from }),
      where: sql.and([...where, ...dueConditions]),
      order
    }
  }
  const { from, order, where } = listedRows(sql, query, {
    table: "bookings",
    alias: "b",
    conditions: [
      ...indexedConditions(sql, businessId, query, "b"),
      sql`b.deleted_at IS NULL`,
      ...(reference === undefined ? [] : [sql`b.reference = ${reference}`])
    ]
  })
  const hasPaymentStatus =
    ofPayment === undefined
      ? []
      : [
          sql`(
                  SELECT p.payment_status FROM booking_payments p
                  WHERE p.business_id = ${businessId} AND p.booking_id = b.booking_id) ${ofPayment}`
        ]
  return {
    isFoundByPayment,
    from,
    where: sql.and([...where, ...dueConditions, ...hasPaymentStatus]),
    order
  }
}
