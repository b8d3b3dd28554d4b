import { type BusinessId, type DomainEvent, EventLog, type WorkNotifier, traced } from "@livery/domain"
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { compiled } from "../sql/statements/Compiled.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"
import { currentTraceParent, eventInsertion, hasDeliveries, makeNotifyOfEvent } from "./EventInsertion.ts"
import { makePlainEvents, type TracedEvent } from "./PlainEvents.ts"

interface InsertedBatch {
  readonly businessId: BusinessId
  readonly ids: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
  readonly traceParent: string | null
}

const insertions = rowsAs(Schema.Struct({ has_deliveries: Schema.Boolean }))

/**
 * Stores events and their deliveries, as part of the current transaction (docs/api/webhooks.md). After
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
    const inForm = yield* makeWriteForm(sql)
    const insertPlainly = makePlainEvents(sql)

    const insert = compiled<TracedEvent>(
      sql,
      ({ body, ...event }) => sql`
        WITH ${eventInsertion(sql, { ...event, body: sql`${body}::text` })}
        SELECT ${sql.literal(hasDeliveries)}, ${transactionMark(sql)}`
    )

    const isDelivered = (statement: Effect.Effect<ReadonlyArray<object>, unknown>) =>
      Effect.map(insertions(statement), ([inserted]) => inserted?.has_deliveries === true)

    const record = traced("EventLogPg.record")(function* ({ body, businessId, eventId, type }: DomainEvent) {
      const event = { businessId, eventId, type, body, traceParent: yield* currentTraceParent }
      yield* Effect.flatMap(
        inForm({
          oneStatement: isDelivered(insert(event)),
          plain: Effect.suspend(() => insertPlainly([event]))
        }),
        notifyOfEvent
      )
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
      if (!Array.isReadonlyArrayNonEmpty(events)) return
      const traceParent = yield* currentTraceParent
      const oneStatement = insertBatch({
        businessId: events[0].businessId,
        ids: events.map(({ eventId }) => eventId),
        types: events.map(({ type }) => type),
        bodies: events.map(({ body }) => body),
        traceParent
      })
      const plain = Effect.suspend(() =>
        insertPlainly(Array.map(events, (event) => ({ ...event, traceParent })))
      )
      yield* Effect.flatMap(inForm({ oneStatement: isDelivered(oneStatement), plain }), notifyOfEvent)
    })

    return EventLog.of({ record, recordAll })
  })
)
