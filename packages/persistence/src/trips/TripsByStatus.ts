/** The trips with given statuses, from the index `trips_by_status`, which has a range for each pair of statuses. */
import type { SqlClient, Statement } from "effect/sql"
import { PaymentStatus, tripMachine, type TripQuery, type TripStatus } from "@livery/domain"
import { stateLiterals } from "../sql/rows/States.ts"

const statusLiterals = stateLiterals(tripMachine)

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
    const statuses: ReadonlyArray<TripStatus> = status === undefined ? tripMachine.states : [status]
    const payments = paymentStatus === undefined ? PaymentStatus.literals : [paymentStatus]
    const ranges = statuses.flatMap((listed) =>
      payments.map((payment) =>
        sql.literal(`trips.status = ${statusLiterals[listed]} AND trips.payment_status = '${payment}'`)
      )
    )
    return ranges
      .map(
        (range) =>
          sql`(${select} WHERE ${sql.and([...conditions, range, sql`trips.deleted_at IS NULL`])} ORDER BY ${order})`
      )
      .reduce((all, branch) => sql`${all} UNION ALL ${branch}`)
  }
