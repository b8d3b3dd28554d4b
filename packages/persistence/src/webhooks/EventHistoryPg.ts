import { EventHistory, EventsDropped, traced } from "@livery/domain"
import type { BusinessId, StoredEventPage } from "@livery/domain"
import type { Layer } from "effect"
import { Cause, Effect, Option, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql"
import { cursorOf, numbersOf } from "../sql/lists/Cursors.ts"
import { unpaddedBody } from "../events/EventInsertion.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { makeAssign } from "./EventPositionsPg.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

/** An event, with the state of the feed. A feed without further events has one row, whose event is null. */
const eventsOf = rowsAs(
  Schema.Struct({
    body: Schema.NullOr(Schema.String),
    position: Schema.NullOr(Schema.Int),
    has_unpositioned: Schema.Boolean,
    dropped_position: Schema.Int
  })
)

const idsOf = rowsAs(Schema.Struct({ event_id: Schema.String }))

const lastPositionsOf = rowsAs(Schema.Struct({ position: Schema.Int, has_unpositioned: Schema.Boolean }))

/** The position that a cursor holds; `None` for a text that is no cursor of this feed. */
const positionOf = (cursor: string): Option.Option<number> =>
  Option.flatMap(numbersOf(cursor), ([position = -1, ...others]) =>
    position >= 0 && others.length === 0 ? Option.some(position) : Option.none()
  )

/** How often assigning is tried while another process assigns: that takes a few milliseconds. */
const assignSchedule = Schedule.spaced("5 millis").pipe(Schedule.upTo({ times: 100 }))

/**
 * Events in all generations of the table `events`, by their position. If a reader reaches the end while committed events
 * have no position yet, it assigns their positions first, so that it gets every event that was committed before its
 * request. In a read-only or a distributed database it cannot assign them, and returns the events that have a position.
 *
 * An example with a limit of 2. Events up to position 4 were dropped with an old generation, 5 to 7 are stored, and one
 * more event is committed without a position:
 *
 *     after no cursor   5 and 6; more follow; the cursor is 6
 *     after cursor 6    7 is the last: the event without a position gets 8; returns 7 and 8; the cursor is 8
 *     after cursor 8    nothing; the cursor stays 8
 *     after cursor 3    `EventsDropped`: event 4 is gone; its cursor is 4, and its oldest event is that of position 5
 */
export const layer: Layer.Layer<EventHistory, never, SqlClient.SqlClient> = onPostgres(
  EventHistory,
  (sql) => {
    const assignAll = makeAssign(sql).pipe(
      Effect.flatMap((assigned) => (assigned === "all" ? Effect.void : Effect.fail("not yet" as const))),
      Effect.retry({ while: (failure) => failure === "not yet", schedule: assignSchedule }),
      Effect.catchCause((cause) =>
        Effect.logDebug("Positions of events could not be assigned by a reader", Cause.pretty(cause))
      )
    )

    /** Whether committed events have no position yet that a reader may assign: in a distributed database only a node may. */
    const hasUnpositioned = (businessId: BusinessId) =>
      sql`(to_regclass('pg_dist_partition') IS NULL AND EXISTS (
        SELECT FROM events WHERE business_id = ${businessId} AND position IS NULL AND NOT sample))`

    /** The last position whose event was dropped; 0 if none was. */
    const droppedPosition = (businessId: BusinessId) =>
      sql`coalesce((SELECT dropped_position FROM event_feeds WHERE business_id = ${businessId}), 0)`

    const eventsDropped = (businessId: BusinessId, position: number) =>
      Effect.flatMap(
        idsOf(sql`
        SELECT event_id FROM event_history WHERE business_id = ${businessId} AND position > ${position}::bigint
        ORDER BY position LIMIT 1`),
        ([oldest]) =>
          Effect.fail(new EventsDropped({ cursor: cursorOf([position]), oldest: oldest?.event_id ?? null }))
      )

    const after = traced("EventHistoryPg.after")(
      function* (
        businessId: BusinessId,
        cursor: string | undefined,
        limit: number
      ): Effect.fn.Return<Option.Option<StoredEventPage>, EventsDropped | SqlError.SqlError> {
        const from = cursor === undefined ? Option.some(0) : positionOf(cursor)
        if (Option.isNone(from)) return Option.none()
        const read = eventsOf(sql`
      SELECT ${sql.literal(unpaddedBody("e.body"))} AS body, e.position, feed.has_unpositioned, feed.dropped_position
      FROM (SELECT ${hasUnpositioned(businessId)} AS has_unpositioned, ${droppedPosition(businessId)} AS dropped_position) feed
      LEFT JOIN LATERAL (
        SELECT body, position FROM event_history WHERE business_id = ${businessId} AND position > ${from.value}::bigint
        ORDER BY position LIMIT ${limit + 1}
      ) e ON true
      ORDER BY e.position`)
        const first = yield* read
        const lastDropped = first[0]?.dropped_position ?? 0
        if (cursor !== undefined && from.value < lastDropped)
          return yield* eventsDropped(businessId, lastDropped)
        const isAtEnd = first.filter(({ position }) => position !== null).length <= limit
        const rows =
          isAtEnd && first[0]?.has_unpositioned === true ? yield* Effect.andThen(assignAll, read) : first
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

    const end = traced("EventHistoryPg.end")(function* (businessId: BusinessId) {
      const read = lastPositionsOf(sql`
      SELECT coalesce((
        SELECT position FROM event_history WHERE business_id = ${businessId} AND position IS NOT NULL
        ORDER BY position DESC LIMIT 1
      ), ${droppedPosition(businessId)}) AS position, ${hasUnpositioned(businessId)} AS has_unpositioned`)
      const first = yield* read
      const rows = first[0]?.has_unpositioned === true ? yield* Effect.andThen(assignAll, read) : first
      return cursorOf([rows[0]?.position ?? 0])
    }, Effect.orDie)

    return { after, end }
  }
)
