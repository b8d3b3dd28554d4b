/** The domain's `EventLog` on PostgreSQL. */
import { EventLog, WorkNotifier } from "@livery/domain"
import type { DomainEvent } from "@livery/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { compiled } from "../sql/Compiled.ts"
import { rowsAs } from "../sql/Rows.ts"
import { transactionMark } from "../sql/TransactionMark.ts"

type Inserted = Pick<DomainEvent, "businessId" | "eventId" | "type" | "body">

const insertions = rowsAs(Schema.Struct({ has_deliveries: Schema.Boolean }))

/**
 * Stores an event and its deliveries in one statement, as part of the current transaction (docs/api/webhooks.md). After
 * the commit it notifies the workers of this process. Those of other processes poll: a `NOTIFY` within the transaction
 * would make commits wait for each other.
 *
 * Call it while the changed record is locked: the event's `sequence` is then higher than that of every earlier change
 * of the record (see `EventPositionsPg`).
 */
export const layer: Layer.Layer<EventLog, never, SqlClient.SqlClient | WorkNotifier> = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifier = yield* WorkNotifier

    const insert = compiled<Inserted>(
      sql,
      ({ body, businessId, eventId, type }) => sql`
        WITH event AS (
          INSERT INTO events (business_id, event_id, event_type, body)
          VALUES (${businessId}, ${eventId}, ${type}, ${body})
          RETURNING business_id, event_id, event_type
        ), deliveries AS (
          INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id)
          SELECT event.business_id, e.endpoint_id, event.event_id
          FROM event, webhook_endpoints e
          WHERE e.business_id = ${businessId} AND e.status = 'enabled' AND e.deleted_at IS NULL AND event.event_type = ANY (e.events)
          RETURNING delivery_id
        )
        SELECT EXISTS (SELECT FROM deliveries) AS has_deliveries, ${transactionMark(sql)}`
    )

    const record = Effect.fn("EventLogPg.record")(function* ({
      body,
      businessId,
      eventId,
      type
    }: DomainEvent) {
      const [inserted] = yield* insertions(insert({ businessId, eventId, type, body }))
      yield* sql.afterCommit(
        inserted?.has_deliveries === true
          ? Effect.andThen(notifier.notify("deliveries"), notifier.notify("events"))
          : notifier.notify("events")
      )
    })

    return EventLog.of({ record })
  })
)
