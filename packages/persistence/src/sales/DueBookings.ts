/** The payment of a booking, and whether the booking is expired, in SQL. */
import { bookingMachine, invoiceMachine } from "@livery/domain"
import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { instant } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { business } from "../sql/statements/ForBusiness.ts"

/** The literals of the states of bookings. */
export const bookingStatus = stateLiterals(bookingMachine)
/** The literals of the states of invoices. */
export const invoiceStatus = stateLiterals(invoiceMachine)

/** A column of the row of a booking `b` in `booking_payments`, which no deleted booking has. */
export const ofPayment = (column: string, owner: string) =>
  `(SELECT p.${column} FROM booking_payments p WHERE p.business_id = ${owner} AND p.booking_id = b.booking_id)`
/** The columns of a booking that stand in `booking_payments`. */
export const paymentColumns = {
  invoice_id: ofPayment("invoice_id", business),
  payment_status: ofPayment("payment_status", business)
}

/**
 * Whether a booking `b` is expired at `now`, by the rule of `bookingAt`. IS NOT NULL, so that the payment status is read only of
 * those past their time.
 */
export const isDue = (sql: SqlClient.SqlClient, now: DateTime.Utc, paymentStatus: Statement.Fragment) => sql`
  (b.status = ${sql.literal(bookingStatus.pending)} AND b.expires_at IS NOT NULL AND b.expires_at <= ${instant(now)}
    AND ${paymentStatus} = ${sql.literal(invoiceStatus.unpaid)})`
