/** The domain's `EventLog` on PostgreSQL. */
import { EventLog, WorkNotifier } from "@livery/domain"
import type { DomainEvent } from "@livery/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Stores an event and its deliveries in one statement, as part of the current transaction (specification, Events). After
 * the commit it notifies the workers of this process. Those of other processes poll: a `NOTIFY` within the transaction
 * would make commits wait for each other.
 *
 * To be called while the changed record is locked: the event's `sequence` is then higher than that of every earlier change
 * of the record (see `EventPositionsPg`).
 */
export const layer: Layer.Layer<EventLog, never, SqlClient.SqlClient | WorkNotifier> = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifier = yield* WorkNotifier

    const record = Effect.fn("EventLogPg.record")(function* (event: DomainEvent) {
      const deliveries = yield* sql`
        WITH event AS (
          INSERT INTO events (business_id, event_id, event_type, body)
          VALUES (${event.businessId}, ${event.eventId}, ${event.type}, ${event.body})
          RETURNING business_id, event_id, event_type
        )
        INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id)
        SELECT event.business_id, e.endpoint_id, event.event_id
        FROM event JOIN webhook_endpoints e USING (business_id)
        WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND event.event_type = ANY (e.events)
        RETURNING delivery_id`
      yield* sql.afterCommit(
        deliveries.length > 0
          ? Effect.andThen(notifier.notify("deliveries"), notifier.notify("events"))
          : notifier.notify("events")
      )
    }, Effect.orDie)

    return EventLog.of({ record })
  })
)
