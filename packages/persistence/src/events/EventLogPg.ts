import { type BusinessId, type DomainEvent, EventLog, type WorkNotifier, traced } from "@livery/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { compiled } from "../sql/statements/Compiled.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"
import { currentTraceParent, eventInsertion, hasDeliveries, makeNotifyOfEvent } from "./EventInsertion.ts"

interface InsertedBatch {
  readonly businessId: BusinessId
  readonly ids: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
  readonly traceParent: string | null
}

type Inserted = Pick<DomainEvent, "businessId" | "eventId" | "type" | "body"> & {
  readonly traceParent: string | null
}

const insertions = rowsAs(Schema.Struct({ has_deliveries: Schema.Boolean }))

/**
 * Stores events and their deliveries in one statement, as part of the current transaction (docs/api/webhooks.md). After
 * the commit it notifies the workers of this process.
 *
 * Call it while the changed record is locked: the event's `sequence` is then higher than that of every earlier change
 * of the record (see `EventPositionsPg`).
 */
export const layer: Layer.Layer<EventLog, never, SqlClient.SqlClient | WorkNotifier> = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifyOfEvent = yield* makeNotifyOfEvent(sql)

    const insert = compiled<Inserted>(
      sql,
      ({ body, ...event }) => sql`
        WITH ${eventInsertion(sql, { ...event, body: sql`${body}::text` })}
        SELECT ${sql.literal(hasDeliveries)}, ${transactionMark(sql)}`
    )

    const record = traced("EventLogPg.record")(function* ({ body, businessId, eventId, type }: DomainEvent) {
      const traceParent = yield* currentTraceParent
      const [inserted] = yield* insertions(insert({ businessId, eventId, type, body, traceParent }))
      yield* notifyOfEvent(inserted?.has_deliveries === true)
    })

    const insertBatch = compiled<InsertedBatch>(
      sql,
      ({ bodies, businessId, ids, traceParent, types }) => sql`
        WITH ${eventInsertion(sql, {
          businessId,
          traceParent,
          eventId: sql`given.event_id`,
          type: sql`given.event_type`,
          body: sql`given.body`,
          from: sql`FROM unnest(${ids}::text[], ${types}::text[], ${bodies}::text[]) AS given (event_id, event_type, body)`
        })}
        SELECT ${sql.literal(hasDeliveries)}, ${transactionMark(sql)}`
    )

    const recordAll = traced("EventLogPg.recordAll")(function* (events: ReadonlyArray<DomainEvent>) {
      const [first] = events
      if (first === undefined) return
      const [inserted] = yield* insertions(
        insertBatch({
          businessId: first.businessId,
          ids: events.map(({ eventId }) => eventId),
          types: events.map(({ type }) => type),
          bodies: events.map(({ body }) => body),
          traceParent: yield* currentTraceParent
        })
      )
      yield* notifyOfEvent(inserted?.has_deliveries === true)
    })

    return EventLog.of({ record, recordAll })
  })
)
