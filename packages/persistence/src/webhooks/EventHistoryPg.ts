/** The domain's `EventHistory` on PostgreSQL. */
import { EventHistory, EventsDropped } from "@livery/domain"
import type { BusinessId, StoredEventPage } from "@livery/domain"
import { Cause, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { cursorOf, numbersOf } from "../sql/Cursors.ts"
import { rowsAs } from "../sql/Rows.ts"
import { makeAssign } from "./EventPositionsPg.ts"

/** A row without a body only says whether there are committed events without a position. */
const Rows = rowsAs(
  Schema.Struct({
    body: Schema.NullOr(Schema.String),
    position: Schema.NullOr(Schema.Int),
    is_behind: Schema.Boolean,
    dropped: Schema.Int
  })
)

const Oldest = rowsAs(Schema.Struct({ event_id: Schema.String }))

const Ends = rowsAs(Schema.Struct({ position: Schema.Int, is_behind: Schema.Boolean }))

/** The position that a cursor holds; `None` for a text that is no cursor of this feed. */
const positionOf = (cursor: string): Option.Option<number> =>
  Option.flatMap(numbersOf(cursor), ([position = -1, ...others]) =>
    position >= 0 && others.length === 0 ? Option.some(position) : Option.none()
  )

// Another process that assigns positions finishes within a few milliseconds.
const untilAssigned = Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 100 }))

/**
 * Events in all generations of the table `events`, by their position. If a reader reaches the end while committed events have no position
 * yet, it assigns their positions first, so that it gets every event that was committed before its request. In a
 * read-only database it cannot assign them, and returns the events that have a position.
 */
export const layer: Layer.Layer<EventHistory, never, SqlClient.SqlClient> = Layer.effect(
  EventHistory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const assignAll = makeAssign(sql).pipe(
      Effect.flatMap((assigned) => (assigned === "all" ? Effect.void : Effect.fail("not yet" as const))),
      Effect.retry({ while: (failure) => failure === "not yet", schedule: untilAssigned }),
      Effect.catchCause((cause) =>
        Effect.logDebug("Positions of events could not be assigned by a reader", Cause.pretty(cause))
      )
    )

    const isBehind = (businessId: BusinessId) =>
      sql`EXISTS (SELECT FROM events WHERE business_id = ${businessId} AND position IS NULL AND NOT sample)`

    /** The last position whose event was dropped; 0 if none was. */
    const dropped = (businessId: BusinessId) =>
      sql`coalesce((SELECT dropped_position FROM event_feeds WHERE business_id = ${businessId}), 0)`

    const eventsDropped = (businessId: BusinessId, position: number) =>
      Effect.flatMap(
        Oldest(sql`
          SELECT event_id FROM event_history WHERE business_id = ${businessId} AND position > ${position}::bigint
          ORDER BY position LIMIT 1`),
        ([oldest]) =>
          Effect.fail(new EventsDropped({ cursor: cursorOf([position]), oldest: oldest?.event_id ?? null }))
      )

    const after = Effect.fn("EventHistoryPg.after")(
      function* (
        businessId: BusinessId,
        cursor: string | undefined,
        limit: number
      ): Effect.fn.Return<Option.Option<StoredEventPage>, EventsDropped | SqlError.SqlError> {
        const from = cursor === undefined ? Option.some(0) : positionOf(cursor)
        if (Option.isNone(from)) return Option.none()
        const read = Rows(sql`
        SELECT e.body, e.position, b.is_behind, b.dropped
        FROM (SELECT ${isBehind(businessId)} AS is_behind, ${dropped(businessId)} AS dropped) b
        LEFT JOIN LATERAL (
          SELECT body, position FROM event_history WHERE business_id = ${businessId} AND position > ${from.value}::bigint
          ORDER BY position LIMIT ${limit + 1}
        ) e ON true
        ORDER BY e.position`)
        const first = yield* read
        const last = first[0]?.dropped ?? 0
        if (cursor !== undefined && from.value < last) return yield* eventsDropped(businessId, last)
        const isAtEnd = first.filter(({ position }) => position !== null).length <= limit
        const rows = isAtEnd && first[0]?.is_behind === true ? yield* Effect.andThen(assignAll, read) : first
        const events = rows.flatMap(({ body, position }) =>
          body === null || position === null ? [] : [{ body, position }]
        )
        const page = events.slice(0, limit)
        return Option.some({
          bodies: page.map(({ body }) => body),
          cursor: cursorOf([page.at(-1)?.position ?? from.value]),
          hasMore: events.length > limit
        })
      },
      Effect.catchTag("SqlError", Effect.die)
    )

    const end = Effect.fn("EventHistoryPg.end")(function* (businessId: BusinessId) {
      const read = Ends(sql`
        SELECT coalesce((
          SELECT position FROM event_history WHERE business_id = ${businessId} AND position IS NOT NULL
          ORDER BY position DESC LIMIT 1
        ), ${dropped(businessId)}) AS position, ${isBehind(businessId)} AS is_behind`)
      const first = yield* read
      const rows = first[0]?.is_behind === true ? yield* Effect.andThen(assignAll, read) : first
      return cursorOf([rows[0]?.position ?? 0])
    }, Effect.orDie)

    return EventHistory.of({ after, end })
  })
)
