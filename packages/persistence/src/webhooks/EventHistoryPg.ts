/** The domain's `EventHistory` on PostgreSQL. */
import { EventHistory } from "@livery/domain"
import type { BusinessId } from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/Rows.ts"

const Rows = rowsAs(
  Schema.Struct({ body: Schema.String, written_by: Schema.String, position: Schema.String })
)

/** Where a reader stands: behind an event, told by the transaction that wrote it and its place among all. */
interface Place {
  readonly writtenBy: string
  readonly position: string
}

const beginning: Place = { writtenBy: "0", position: "0" }

const cursorOf = ({ position, writtenBy }: Place) =>
  Buffer.from(`${writtenBy}.${position}`).toString("base64url")

const largest = 2n ** 63n

/** The place that a cursor means, if it is one, letter by letter as it was given out. */
const placeOf = (cursor: string): Option.Option<Place> => {
  const text = Buffer.from(cursor, "base64url").toString("latin1")
  const [, writtenBy = "", position = ""] = /^(\d{1,19})\.(\d{1,19})$/u.exec(text) ?? []
  return cursorOf({ writtenBy, position }) === cursor &&
    BigInt(writtenBy) < largest &&
    BigInt(position) < largest
    ? Option.some({ writtenBy, position })
    : Option.none()
}

/**
 * Events in the table `events`, by the transaction that wrote them. Transactions are numbered as they begin to
 * write, and may commit in another order; so only those below the oldest that still runs anywhere in the cluster are
 * told: below it nothing can appear any more. A change that waited for another's row is behind it as long as it
 * locked that row before it wrote anything, which every change of a record does.
 */
export const layer: Layer.Layer<EventHistory, never, SqlClient.SqlClient> = Layer.effect(
  EventHistory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const after = Effect.fn("EventHistoryPg.after")(function* (
      businessId: BusinessId,
      cursor: string | undefined,
      limit: number
    ) {
      const from = cursor === undefined ? Option.some(beginning) : placeOf(cursor)
      if (Option.isNone(from)) return Option.none()
      const rows = yield* Rows(sql`
        SELECT body, written_by::text, position::text FROM events
        WHERE business_id = ${businessId} AND NOT sample
          AND (written_by, position) > (${from.value.writtenBy}::xid8, ${from.value.position}::bigint)
          AND written_by < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY events.written_by, events.position LIMIT ${limit + 1}`)
      const told = rows.slice(0, limit)
      const last = told.at(-1)
      return Option.some({
        bodies: told.map(({ body }) => body),
        cursor: cursorOf(
          last === undefined ? from.value : { writtenBy: last.written_by, position: last.position }
        ),
        hasMore: rows.length > limit
      })
    })

    return EventHistory.of({ after })
  })
)
