/** The trips with given statuses, from the index `trips_by_status`, which has a range for each pair of statuses. */
import type { SqlClient, Statement } from "effect/sql"
import { PaymentStatus, tripMachine, type TripQuery, type TripStatus } from "@livery/domain"
import { stateLiterals } from "../sql/rows/States.ts"

const statusLiterals = stateLiterals(tripMachine)

/** The condition that trips are on an invoice, or on none. */
export const onInvoice = (invoiced: boolean): string => `trips.invoice_id IS ${invoiced ? "NOT " : ""}NULL`

/** The rows of each range that meet the conditions, merged. Each range has the order of the list. */
const unionOf = (
  sql: SqlClient.SqlClient,
  ranges: ReadonlyArray<string>,
  select: Statement.Fragment,
  conditions: ReadonlyArray<Statement.Fragment>,
  order: Statement.Fragment
): Statement.Fragment =>
  ranges
    .map(
      (range) =>
        sql`(${select} WHERE ${sql.and([...conditions, sql.literal(range), sql`trips.deleted_at IS NULL`])} ORDER BY ${order})`
    )
    .reduce((all, branch) => sql`${all} UNION ALL ${branch}`)

const statusesOf = (status: TripStatus | undefined): ReadonlyArray<TripStatus> =>
  status === undefined ? tripMachine.states : [status]

/**
 * The rows of `trips` that have the statuses and meet the conditions, as a union of the index's ranges. Each has the order of
 * the list, so that PostgreSQL merges them. `select` is what comes before the conditions.
 */
export const tripsByStatus =
  (sql: SqlClient.SqlClient) =>
  (
    select: Statement.Fragment,
    conditions: ReadonlyArray<Statement.Fragment>,
    { paymentStatus, status }: Pick<TripQuery, "paymentStatus" | "status">,
    order: Statement.Fragment
  ): Statement.Fragment => {
    const payments = paymentStatus === undefined ? PaymentStatus.literals : [paymentStatus]
    const ranges = statusesOf(status).flatMap((listed) =>
      payments.map(
        (payment) => `trips.status = ${statusLiterals[listed]} AND trips.payment_status = '${payment}'`
      )
    )
    return unionOf(sql, ranges, select, conditions, order)
  }

/** The same of the trips that are on an invoice, or on none, from `trips_invoiced` and `trips_uninvoiced`. */
export const tripsByInvoice =
  (sql: SqlClient.SqlClient) =>
  (
    select: Statement.Fragment,
    conditions: ReadonlyArray<Statement.Fragment>,
    { invoiced, status }: { readonly invoiced: boolean; readonly status: TripStatus | undefined },
    order: Statement.Fragment
  ): Statement.Fragment => {
    const ranges = statusesOf(status).map(
      (listed) => `trips.status = ${statusLiterals[listed]} AND ${onInvoice(invoiced)}`
    )
    return unionOf(sql, ranges, select, conditions, order)
  }
