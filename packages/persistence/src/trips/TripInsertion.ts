/**
 * Storing a new trip in one statement: the trip, the first entry of its timeline, its words, its event with the deliveries,
 * and the search for its likely duplicates. A booking is the busiest write, and each further statement costs a round trip.
 */
import {
  CurrentActor,
  type DomainEvent,
  type InsertedTrip,
  type NewTrip,
  newTripFieldNames,
  storedTrip,
  type Trip,
  TripId,
  type WorkNotifier
} from "@livery/domain"
import { Array, type DateTime, Duration, Effect, Option, Schedule, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import {
  currentTraceParent,
  eventInsertion,
  hasDeliveries,
  makeNotifyOfEvent
} from "../events/EventInsertion.ts"
import { compiled, type Placeholder } from "../sql/statements/Compiled.ts"
import { isOutcomeUnknown } from "../sql/statements/PgErrors.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"
import { likelyDuplicates } from "./LikelyDuplicates.ts"
import { searchOf, tripValues } from "./TripRows.ts"

const insertions = rowsAs(
  Schema.Struct({ trip_id: TripId, duplicates: Schema.Array(TripId), has_deliveries: Schema.Boolean })
)

/** An event about a trip whose id is not known yet: its body without that id. */
interface EventParameters {
  readonly eventId: string
  readonly eventType: string
  readonly traceParent: string | null
  readonly bodyBefore: string
  readonly bodyAfter: string
}

/** Stands for the id of the new trip in the body of its event, until PostgreSQL has drawn the id. No trip has this id. */
const provisionalId = TripId.make(Number.MAX_SAFE_INTEGER)
const provisionalField = `"trip_id":${provisionalId}`

/**
 * Splits the body at the placeholder. Its first occurrence is the trip's id, because that field comes before any text
 * of a caller.
 */
const parametersOf = ({ body, eventId, type }: DomainEvent, traceParent: string | null): EventParameters => {
  const end = body.indexOf(provisionalField) + provisionalField.length
  if (end < provisionalField.length) throw new Error(`The event ${type} has no trip_id`)
  return {
    eventId,
    eventType: type,
    traceParent,
    bodyBefore: body.slice(0, end - String(provisionalId).length),
    bodyAfter: body.slice(end)
  }
}

const valuesOfNew = (trip: NewTrip) => tripValues(newTripFieldNames, trip)

/** The fields in which likely duplicates are the same. */
type ComparedField = "business_id" | "trip_date" | "pickup_address" | "customer_name"

/** The columns of a new trip, the author of the first entry of its timeline, and its words for the search. */
type Row = Readonly<
  Record<"actor" | "search" | keyof ReturnType<typeof valuesOfNew> | "created_at" | "updated_at", unknown>
>

/** How long the outcome of a statement whose answer was lost is queried. */
const outcomeLimit = Duration.seconds(5)

/** Makes the method `insert` of `TripRepository`. */
export const makeInsertTrip = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<
  (
    trip: NewTrip,
    now: DateTime.Utc,
    eventOf?: (trip: Trip) => Effect.Effect<DomainEvent>
  ) => Effect.Effect<Option.Option<InsertedTrip>>,
  never,
  WorkNotifier
> {
  const notifyOfEvent = yield* makeNotifyOfEvent(sql)

  const duplicatesOf = (row: Readonly<Record<ComparedField, unknown>>, others = sql``) =>
    likelyDuplicates(
      sql,
      {
        businessId: row.business_id,
        tripDate: row.trip_date,
        pickupAddress: row.pickup_address,
        customerName: row.customer_name
      },
      others
    )

  const statementOf = (
    { actor, search, ...row }: { readonly [Name in keyof Row]: Placeholder },
    event: Statement.Fragment | undefined
  ) => sql`
    WITH t AS (
      INSERT INTO trips ${sql.insert(row)} ON CONFLICT (business_id, reference) DO NOTHING
      RETURNING business_id, trip_id, status, created_at
    ), entry AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
      SELECT business_id, trip_id, created_at, ${actor}, 'created', jsonb_build_object('status', status) FROM t
    ), words AS (
      INSERT INTO trip_search (business_id, trip_id, search) SELECT business_id, trip_id, ${search}::tsvector FROM t
    )${event === undefined ? sql`` : sql`, ${event}`}
    SELECT trip_id, ${duplicatesOf(row)} AS duplicates,
           ${sql.literal(event === undefined ? "false AS has_deliveries" : hasDeliveries)}, ${transactionMark(sql)}
    FROM t`

  const insertAlone = compiled<Row>(sql, (row) => statementOf(row, undefined))
  const insertWithEvent = compiled<Row & EventParameters>(
    sql,
    ({ bodyAfter, bodyBefore, eventId, eventType, traceParent, ...row }) =>
      statementOf(
        row,
        eventInsertion(sql, {
          businessId: row.business_id,
          eventId,
          type: eventType,
          traceParent,
          body: sql`${bodyBefore}::text || t.trip_id || ${bodyAfter}::text`,
          from: sql`FROM t`
        })
      )
  )

  /** Reads the trip that was stored with an event, in the form that the insertion returns. */
  const readStored = ({ eventId }: EventParameters, trip: NewTrip, now: DateTime.Utc) => sql`
    SELECT stored.trip_id, ${duplicatesOf({ ...trip, trip_date: instant(trip.trip_date) }, sql`AND t.trip_id <> stored.trip_id`)} AS duplicates,
           true AS has_deliveries
    FROM trips stored
    WHERE stored.business_id = ${trip.business_id} AND stored.reference = ${trip.reference} AND stored.created_at = ${instant(now)}
      AND EXISTS (SELECT FROM events WHERE business_id = ${trip.business_id} AND event_id = ${eventId})`

  /**
   * Runs the statement again if its answer was lost. That is safe, because the reference is unique: the second run
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

  return Effect.fnUntraced(function* (trip, now, eventOf) {
    const row = {
      actor: yield* CurrentActor,
      search: searchOf(trip),
      ...valuesOfNew(trip),
      created_at: instant(now),
      updated_at: instant(now)
    }
    const event =
      eventOf && parametersOf(yield* eventOf(storedTrip(trip, provisionalId, now)), yield* currentTraceParent)
    const stored = Array.head(
      yield* insertions(
        event === undefined
          ? insertAlone(row)
          : retryIfLost(
              insertWithEvent({ ...row, ...event }),
              // Built only if the answer is lost, because building it is 5 % of the memory that a booking allocates.
              Effect.suspend(() => readStored(event, trip, now))
            )
      )
    )
    if (Option.isNone(stored)) return Option.none()
    const { duplicates, has_deliveries, trip_id } = stored.value
    if (event !== undefined) yield* notifyOfEvent(has_deliveries)
    return Option.some({ trip: storedTrip(trip, trip_id, now), duplicates })
  })
})
