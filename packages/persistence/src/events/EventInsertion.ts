/** Storing an event with its deliveries, as a part of any statement. */
import { endpointMachine, traceParentOf, WorkNotifier } from "@livery/domain"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Placeholder } from "../sql/statements/Compiled.ts"
import { stateLiterals } from "../sql/rows/States.ts"

/** The `traceparent` of the request that causes an event; null if it is not traced. */
export const currentTraceParent = Effect.withFiber((fiber) => Effect.succeed(traceParentOf(fiber)))

const { enabled } = stateLiterals(endpointMachine)

/** The parts of an event. A fragment is an expression; `from` is the `FROM` clause that it needs, if any. */
export interface EventParts {
  readonly businessId: Placeholder
  readonly eventId: Placeholder | Statement.Fragment
  readonly type: Placeholder | Statement.Fragment
  readonly body: Statement.Fragment
  /** The `traceparent` of the request that causes the event, or null. */
  readonly traceParent: Placeholder
  readonly from?: Statement.Fragment
}

const paddedLength = 2048

/**
 * Pads the body of an event with spaces. PostgreSQL compresses a value, and moves it out of its row, only in rows from 2,032 bytes on.
 * A longer body stays as it is.
 */
export const padBody = (body: string): string => body.padEnd(paddedLength)

/** {@link padBody} in SQL. */
const paddedBody = (sql: SqlClient.SqlClient, body: Placeholder | Statement.Fragment): Statement.Fragment =>
  sql`format(${sql.literal(`'%-${paddedLength}s'`)}, ${body})`

/** The expression for a stored body without its padding. */
export const unpaddedBody = (body: string): string => `rtrim(${body}, ' ')`

/**
 * The parts `event` and `deliveries` of a `WITH` clause: they store an event, or one for each row of `from`, and a pending
 * delivery for each enabled endpoint of the business that subscribes to its type, in the order of the events.
 */
export const eventInsertion = (
  sql: SqlClient.SqlClient,
  { body, businessId, eventId, from, traceParent, type }: EventParts
): Statement.Fragment => sql`
  event AS (
    INSERT INTO events (business_id, event_id, event_type, body, trace_parent)
    SELECT ${businessId}::bigint, ${eventId}::text, ${type}::text, ${paddedBody(sql, body)}, ${traceParent}::text ${from ?? sql``}
    RETURNING business_id, event_id, event_type, sequence
  ), deliveries AS (
    INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
    SELECT event.business_id, e.endpoint_id, event.event_id, event.event_type
    FROM event, webhook_endpoints e
    WHERE e.business_id = ${businessId} AND e.status = ${sql.literal(enabled)} AND e.deleted_at IS NULL
      AND event.event_type = ANY (e.events)
    ${from === undefined ? sql`` : sql`ORDER BY event.sequence`}
    RETURNING delivery_id
  )`

/** The column `has_deliveries` of a statement with an {@link eventInsertion}: whether any endpoint subscribes. */
export const hasDeliveries = "EXISTS (SELECT FROM deliveries) AS has_deliveries"

/**
 * Makes the notification of the workers of this process after the commit. Those of other processes poll: a `NOTIFY`
 * within the transaction would make commits wait for each other.
 */
export const makeNotifyOfEvent = (sql: SqlClient.SqlClient) =>
  Effect.map(
    WorkNotifier,
    (notifier) => (isDelivered: boolean) =>
      sql.afterCommit(
        isDelivered
          ? Effect.andThen(notifier.notify("deliveries"), notifier.notify("events"))
          : notifier.notify("events")
      )
  )
