/** Storing reported positions by plain statements: see `WriteForm.ts`. */
import {
  AssignmentId,
  clockToleranceSeconds,
  type LocationReport,
  type Position,
  type RecordedReport,
  TripId
} from "@livery/domain"
import { Array, DateTime, Effect, Order, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { execute, Instant, instant, rowsAs } from "../sql/rows/Rows.ts"

const assignmentsOf = rowsAs(
  Schema.Struct({ assignment_id: AssignmentId, trip_id: TripId, en_route_at: Instant })
)

const byTime = Order.mapInput(DateTime.Order, ({ recorded_at }: Position) => recorded_at)

/** The fragments of the statements, which both forms share. */
interface Fragments {
  /** Whether the reporter may report for an assignment `a`. */
  readonly mayReport: (businessId: unknown, tokenHash: unknown) => Statement.Fragment
  /** Whether the driver of an assignment `a` is under way. */
  readonly isUnderWay: Statement.Fragment
  /** The columns of a stored position, without the time of its receipt. */
  readonly stored: Statement.Fragment
  /** The end of an insertion into `driver_positions p`, which keeps the newest position. */
  readonly unlessOlder: Statement.Fragment
}

/**
 * Makes the function that stores a report, with the rows of each table in the same order as the other form. It uses the assignments
 * as they were before its transaction, so that they are read where their rows are.
 */
export const makePlainPositions = (
  sql: SqlClient.SqlClient,
  { isUnderWay, mayReport, stored, unlessOlder }: Fragments
) =>
  Effect.fnUntraced(function* ({
    positions,
    reporter
  }: LocationReport): Effect.fn.Return<RecordedReport, SqlError.SqlError> {
    const { assignment_id, business_id, driver_id, token_hash } = reporter
    const assignments = yield* assignmentsOf(sql`
        SELECT a.assignment_id, a.trip_id, a.en_route_at FROM assignments a
        WHERE a.business_id = ${business_id} AND a.driver_id = ${driver_id} AND ${isUnderWay}
          AND a.assignment_id = coalesce(${assignment_id}::bigint, a.assignment_id)
          AND ${mayReport(business_id, token_hash)}
        ORDER BY a.assignment_id`)
    const ascending = Array.sort(positions, byTime)
    const seen = assignments.flatMap(({ assignment_id, en_route_at, trip_id }) => {
      const from = DateTime.subtract(en_route_at, { seconds: clockToleranceSeconds })
      const since = ascending.filter(({ recorded_at }) => DateTime.isGreaterThanOrEqualTo(recorded_at, from))
      return Array.isArrayNonEmpty(since) ? [{ assignment_id, trip_id, since }] : []
    })
    if (seen.length === 0) return { positions: 0, trips: [] }
    const valuesOf = (
      assignmentId: AssignmentId,
      { accuracy, heading, lat, lng, recorded_at, speed }: Position
    ) =>
      sql`(${business_id}, ${assignmentId}, ${instant(recorded_at)}, ${lat}, ${lng}, ${accuracy}, ${heading}, ${speed}, statement_timestamp())`
    const trail = seen.flatMap(({ assignment_id, since }) =>
      since.map((position) => valuesOf(assignment_id, position))
    )
    const intoTrail = execute(sql`
        INSERT INTO driver_trail (${stored}, received_at) VALUES ${sql.csv(trail)} ON CONFLICT DO NOTHING`)
    const last = seen.map(({ assignment_id, since }) => valuesOf(assignment_id, Array.lastNonEmpty(since)))
    const intoPositions = execute(sql`
        INSERT INTO driver_positions AS p (${stored}, received_at) VALUES ${sql.csv(last)} ${unlessOlder}`)
    yield* sql.withTransaction(Effect.andThen(intoTrail, intoPositions))
    return {
      positions: new Set(seen.flatMap(({ since }) => since)).size,
      trips: [...new Set(seen.map(({ trip_id }) => trip_id))].toSorted((one, other) => one - other)
    }
  }, Effect.orDie)
