/**
 * Storing a new trip: the trip, the first entry of its timeline, its words, its mark for notices, its event with the deliveries, and
 * the search for its likely duplicates. `WriteForm.ts` says when that is one statement.
 */
import {
  CurrentActor,
  type InsertedTrip,
  newTripFieldNames,
  type Trip,
  type TripCreation,
  TripId,
  type WorkNotifier
} from "@livery/domain"
import { Array, type Context, Duration, Effect, Option, Schedule, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import {
  currentTraceParent,
  eventInsertion,
  hasDeliveries,
  makeNotifyOfEvent
} from "../events/EventInsertion.ts"
import { makePlainEvents, type TracedEvent } from "../events/PlainEvents.ts"
import { compiled, type Placeholder } from "../sql/statements/Compiled.ts"
import { isOutcomeUnknown } from "../sql/statements/PgErrors.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"
import { isInTransaction as isOpenTransaction } from "../sql/transactions/InTransaction.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"
import { likelyDuplicates } from "./LikelyDuplicates.ts"
import { markNewTrip } from "./NoticeMarksPg.ts"
import { searchOf, tripValues } from "./TripRows.ts"

const insertions = rowsAs(Schema.Struct({ duplicates: Schema.Array(TripId), has_deliveries: Schema.Boolean }))

interface EventParameters {
  readonly eventId: string
  readonly eventType: string
  readonly traceParent: string | null
  readonly body: string
}

const insertedNames = ["trip_id", ...newTripFieldNames, "created_at", "updated_at"] as const
const valuesOfNew = (trip: Trip) => tripValues(insertedNames, trip)

/** The fields in which likely duplicates are the same. */
type ComparedField = "business_id" | "trip_id" | "trip_date" | "pickup_address" | "customer_name"

/** The columns of a new trip, the author of the first entry of its timeline, and its words for the search. */
type Row = Readonly<Record<"actor" | "search" | keyof ReturnType<typeof valuesOfNew>, unknown>>

/** How long the outcome of a statement whose answer was lost is queried. */
const outcomeLimit = Duration.seconds(5)

/** Makes the method `insert` of `TripRepository`. */
export const makeInsertTrip = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<
  (creation: TripCreation) => Effect.Effect<Option.Option<InsertedTrip>>,
  never,
  WorkNotifier
> {
  const notifyOfEvent = yield* makeNotifyOfEvent(sql)
  const inForm = yield* makeWriteForm(sql)
  const storePlainly = makePlainEvents(sql)

  const isInTransaction = Effect.contextWith((context: Context.Context<never>) =>
    Effect.succeed(isOpenTransaction(sql, context))
  )

  const duplicatesOf = (row: Readonly<Record<ComparedField, unknown>>) =>
    likelyDuplicates(
      sql,
      {
        businessId: row.business_id,
        tripDate: row.trip_date,
        pickupAddress: row.pickup_address,
        customerName: row.customer_name
      },
      // A statement after the insertion reads the new trip, too.
      sql`AND t.trip_id <> ${row.trip_id}`
    )

  const statementOf = (
    { actor, search, ...row }: { readonly [Name in keyof Row]: Placeholder },
    event: Statement.Fragment | undefined
  ) => sql`
    WITH t AS (
      INSERT INTO trips ${sql.insert(row)} ON CONFLICT DO NOTHING
      RETURNING business_id, trip_id, status, created_at
    ), entry AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
      SELECT business_id, trip_id, created_at, ${actor}, 'created', jsonb_build_object('status', status) FROM t
    ), words AS (
      INSERT INTO trip_search (business_id, trip_id, search) SELECT business_id, trip_id, ${search}::tsvector FROM t
    ), marked AS (${markNewTrip(sql, row.business_id, sql`t`)})${event === undefined ? sql`` : sql`, ${event}`}
    SELECT ${duplicatesOf(row)} AS duplicates,
           ${sql.literal(event === undefined ? "false AS has_deliveries" : hasDeliveries)}, ${transactionMark(sql)}
    FROM t`

  const insertAlone = compiled<Row>(sql, (row) => statementOf(row, undefined))
  const insertWithEvent = compiled<Row & EventParameters>(
    sql,
    ({ body, eventId, eventType, traceParent, ...row }) =>
      statementOf(
        row,
        eventInsertion(sql, {
          businessId: row.business_id,
          eventId,
          type: eventType,
          traceParent,
          body: sql`${body}::text`,
          from: sql`FROM t`
        })
      )
  )

  /** The same as plain statements. */
  const insertPlainly = Effect.fnUntraced(function* (
    { actor, search, ...row }: Row,
    trip: Trip,
    event: TracedEvent | undefined
  ): Effect.fn.Return<ReadonlyArray<object>, SqlError.SqlError> {
    const inserted = yield* sql`INSERT INTO trips ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING trip_id`
    if (inserted.length === 0) return []
    const { business_id, created_at, status, trip_id } = trip
    const at = instant(created_at)
    const after = JSON.stringify({ status })
    yield* sql`
      INSERT INTO trip_changes ${sql.insert({ business_id, trip_id, at, actor, change: "created", after })}`
    yield* sql`INSERT INTO trip_search ${sql.insert({ business_id, trip_id, search })}`
    yield* markNewTrip(
      sql,
      business_id,
      sql`(SELECT ${business_id}::bigint AS business_id, ${trip_id}::bigint AS trip_id, ${at}::timestamptz AS created_at) t`
    )
    const has_deliveries = event !== undefined && (yield* storePlainly([event]))
    const duplicates = yield* sql`SELECT ${duplicatesOf(row)} AS duplicates`
    return duplicates.map((found) => ({ ...found, has_deliveries }))
  })

  /** Reads what the insertion returns of a trip that was stored with an event; nothing if it was not. */
  const readStored = ({ eventId }: EventParameters, trip: Trip) => sql`
    SELECT ${duplicatesOf({ ...trip, trip_date: instant(trip.trip_date) })} AS duplicates, true AS has_deliveries
    FROM events WHERE business_id = ${trip.business_id} AND event_id = ${eventId}`

  /**
   * Runs the statement again if its answer was lost. That is safe, because the trip has its id already: the second run
   * waits for the first one, and stores nothing if the first one did. Then the event shows whether it did.
   */
  const retryIfLost = (
    insertion: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>,
    stored: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>
  ) =>
    Effect.catchIf(insertion, isOutcomeUnknown, (lost) =>
      insertion.pipe(
        Effect.filterOrElse(Array.isReadonlyArrayNonEmpty, () => stored),
        Effect.retry({
          schedule: Schedule.spaced("100 millis"),
          while: ({ reason }) => reason._tag === "ConnectionError"
        }),
        Effect.timeoutOrElse({ duration: outcomeLimit, orElse: () => Effect.fail(lost) })
      )
    )

  return Effect.fnUntraced(function* ({ event, trip }) {
    const row = { actor: yield* CurrentActor, search: searchOf(trip), ...valuesOfNew(trip) }
    const traceParent = yield* currentTraceParent
    const parameters = event && {
      eventId: event.eventId,
      eventType: event.type,
      traceParent,
      body: event.body
    }
    const isNested = yield* isInTransaction
    const insertion = inForm({
      oneStatement: parameters === undefined ? insertAlone(row) : insertWithEvent({ ...row, ...parameters }),
      plain: Effect.suspend(() => {
        const stored = insertPlainly(row, trip, event && { ...event, traceParent })
        return isNested ? stored : sql.withTransaction(stored)
      })
    })
    const stored = Array.head(
      yield* insertions(
        parameters === undefined
          ? insertion
          : retryIfLost(
              insertion,
              // Built only if the answer is lost, because building it is 5 % of the memory that a booking allocates.
              Effect.suspend(() => readStored(parameters, trip))
            )
      )
    )
    if (Option.isNone(stored)) return Option.none()
    const { duplicates, has_deliveries } = stored.value
    if (event !== undefined) yield* notifyOfEvent(has_deliveries)
    return Option.some({ trip, duplicates })
  })
})
