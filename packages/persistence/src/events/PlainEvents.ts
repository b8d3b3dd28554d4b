/** Storing events by plain statements: see `WriteForm.ts`. */
import { type DomainEvent, EndpointId, endpointMachine } from "@livery/domain"
import { Array, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { padBody } from "./EventInsertion.ts"

const endpointsOf = rowsAs(Schema.Struct({ endpoint_id: EndpointId, events: Schema.Array(Schema.String) }))

const { enabled } = stateLiterals(endpointMachine)

/** A statement has at most 65,535 parameters. */
const maxRows = 5000

/** An event with the `traceparent` of the request that causes it, or null. */
export type TracedEvent = Pick<DomainEvent, "businessId" | "eventId" | "type" | "body"> & {
  readonly traceParent: string | null
}

/**
 * Makes the function that stores events of one business, and a pending delivery for each enabled endpoint that subscribes to the type, in
 * the order of the events. The coordinator of a distributed database draws their numbers, because they are rows of `VALUES`. Returns
 * whether there is any delivery.
 */
export const makePlainEvents = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (events: Array.NonEmptyReadonlyArray<TracedEvent>): Effect.fn.Return<boolean> {
    const [{ businessId }] = events
    const types = [...new Set(events.map(({ type }) => type))]
    const endpoints = yield* endpointsOf(sql`
      SELECT endpoint_id, events FROM webhook_endpoints
      WHERE business_id = ${businessId} AND status = ${sql.literal(enabled)} AND deleted_at IS NULL
        AND events && ${types}::text[]
      ORDER BY endpoint_id`)
    const stored = events.map(({ body, eventId, traceParent, type }) => ({
      business_id: businessId,
      event_id: eventId,
      event_type: type,
      body: padBody(body),
      trace_parent: traceParent
    }))
    for (const rows of Array.chunksOf(stored, maxRows))
      yield* execute(sql`INSERT INTO events ${sql.insert(rows)}`)
    const deliveries = events.flatMap(({ eventId, type }) =>
      endpoints
        .filter((endpoint) => endpoint.events.includes(type))
        .map(({ endpoint_id }) => ({
          business_id: businessId,
          endpoint_id,
          event_id: eventId,
          event_type: type
        }))
    )
    for (const rows of Array.chunksOf(deliveries, maxRows))
      yield* execute(sql`INSERT INTO webhook_deliveries ${sql.insert(rows)}`)
    return deliveries.length > 0
  })
