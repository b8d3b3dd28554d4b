/** The domain's `TimelineRepository` on PostgreSQL: the table `trip_changes`. */
import {
  type BusinessId,
  CurrentActor,
  type NewTimelineEntries,
  type NewTimelineEntry,
  type PageRequest,
  TimelineEntry,
  TimelineRepository,
  type TripId
} from "@livery/domain"
import { Array, type DateTime, Effect, Option, Schema } from "effect"
import { columnsOf } from "../sql/rows/Columns.ts"
import { nameOfActor } from "../sql/statements/ActorName.ts"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { countOf, pageOf } from "../sql/lists/Pages.ts"
import { rowsOfPage } from "../sql/lists/PageLimits.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

/** A trip without entries on the page has one row, whose `change_id` is null. */
const totalsOf = rowsAs(
  Schema.Struct({
    change_id: Schema.NullOr(Schema.Int),
    total: Schema.Int
  })
)
const entriesOf = rowsAs(TimelineEntry)

const json = (fields: NewTimelineEntry["before"]) => (fields === null ? null : JSON.stringify(fields))

/** Timelines in the table `trip_changes`. Names of authors are read from the rows of users and drivers. */
export const layer = onPostgres(TimelineRepository, (sql) => {
  const columns = forBusiness(sql, columnsOf(TimelineEntry, "e", { actor_name: nameOfActor }))

  const append = Effect.fnUntraced(function* (
    businessId: BusinessId,
    changes: ReadonlyArray<NewTimelineEntries>,
    now: DateTime.Utc
  ) {
    const actor = yield* CurrentActor
    const rows = changes.flatMap(({ entries, tripId }) =>
      entries.map(({ after, before, ...entry }) => ({
        business_id: businessId,
        trip_id: tripId,
        at: instant(now),
        actor,
        ...entry,
        before: json(before),
        after: json(after)
      }))
    )
    if (!Array.isArrayNonEmpty(rows)) return
    yield* sql`INSERT INTO trip_changes ${sql.insert(rows)}`
  }, Effect.orDie)

  /** The page of a trip; `None` for a trip that does not exist. */
  const list = Effect.fnUntraced(function* (businessId: BusinessId, tripId: TripId, page: PageRequest) {
    const ofTrip = sql`business_id = ${businessId} AND trip_id = ${tripId}`
    const total = countOf(sql, sql`trip_changes WHERE ${ofTrip}`)
    const rows = yield* Effect.orDie(sql`
      SELECT c.*, (${total}) AS total
      FROM (SELECT FROM trips WHERE ${ofTrip} AND deleted_at IS NULL) t
      LEFT JOIN LATERAL (
        SELECT ${columns(businessId)} FROM trip_changes e WHERE ${ofTrip}
        ORDER BY change_id ${rowsOfPage(sql, page, false)}) c ON true
      ORDER BY c.change_id`)
    const [first] = yield* totalsOf(Effect.succeed(rows))
    if (first === undefined) return Option.none()
    const entries = first.change_id === null ? [] : yield* entriesOf(Effect.succeed(rows))
    return Option.some(pageOf(page, entries, first.total))
  })

  const erase = (businessId: BusinessId, tripIds: ReadonlyArray<TripId>, fields: ReadonlyArray<string>) => {
    const names = sql`${[...fields]}::text[]`
    return execute(sql`
        UPDATE trip_changes SET before = before - ${names}, after = after - ${names}
        WHERE business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])
          AND (before ?| ${names} OR after ?| ${names})`)
  }

  return { append, erase, list }
})
