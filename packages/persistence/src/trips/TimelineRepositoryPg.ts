/** The domain's `TimelineRepository` on PostgreSQL: the table `trip_changes`. */
import {
  CurrentActor,
  countedAtMost,
  DriverId,
  offsetOf,
  TimelineRepository,
  TripChange
} from "@livery/domain"
import type { BusinessId, NewTimelineEntry, PageRequest, TripId } from "@livery/domain"
import { Array, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const Fields = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

const Entry = Schema.Struct({
  change_id: Schema.Int,
  at: Instant,
  actor: Schema.String,
  change: TripChange,
  driver_id: Schema.NullOr(DriverId),
  before: Fields,
  after: Fields
})

/** Of a trip that has no line on the page, one row with none is left. */
const linesOf = rowsAs(
  Schema.Struct({
    change_id: Schema.NullOr(Schema.Int),
    total: Schema.Int
  })
)
const entriesOf = rowsAs(Entry)

const json = (fields: NewTimelineEntry["before"]) => (fields === null ? null : JSON.stringify(fields))

export const layer = Layer.effect(
  TimelineRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const append = Effect.fnUntraced(function* (
      businessId: BusinessId,
      tripId: TripId,
      entries: ReadonlyArray<NewTimelineEntry>,
      now: DateTime.Utc
    ) {
      if (!Array.isReadonlyArrayNonEmpty(entries)) return
      const actor = yield* CurrentActor
      const rows = Array.map(entries, ({ after, before, change, driver_id }) => ({
        business_id: businessId,
        trip_id: tripId,
        at: instant(now),
        actor,
        change,
        driver_id,
        before: json(before),
        after: json(after)
      }))
      yield* sql`INSERT INTO trip_changes ${sql.insert(rows)}`
    }, Effect.orDie)

    const list = Effect.fnUntraced(function* (businessId: BusinessId, tripId: TripId, page: PageRequest) {
      const ofTrip = sql`business_id = ${businessId} AND trip_id = ${tripId}`
      const rows = yield* Effect.orDie(sql`
        SELECT c.*, (SELECT count(*) FROM (
                 SELECT FROM trip_changes WHERE ${ofTrip} LIMIT ${countedAtMost + 1}) counted) AS total
        FROM (SELECT FROM trips WHERE ${ofTrip} AND deleted_at IS NULL) t
        LEFT JOIN LATERAL (
          SELECT change_id, at, actor, change, driver_id, before, after FROM trip_changes WHERE ${ofTrip}
          ORDER BY change_id LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}) c ON true
        ORDER BY c.change_id`)
      const [first] = yield* linesOf(Effect.succeed(rows))
      if (first === undefined) return Option.none()
      const entries = first.change_id === null ? [] : yield* entriesOf(Effect.succeed(rows))
      return Option.some({
        items: entries.slice(0, page.perPage),
        total: first.total > countedAtMost ? undefined : first.total,
        hasMore: entries.length > page.perPage
      })
    })

    return TimelineRepository.of({ append, list })
  })
)
