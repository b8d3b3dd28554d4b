/** The domain's `EventHistory` on PostgreSQL. */
import { EventHistory } from "@livery/domain"
import type { BusinessId } from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/Rows.ts"

const Rows = rowsAs(Schema.Struct({ body: Schema.String, horizon: Schema.String, position: Schema.String }))

/** Where a reader stands: behind an event, told by what it is ordered by. */
interface Place {
  readonly horizon: string
  readonly position: string
}

const beginning: Place = { horizon: "0", position: "0" }

const cursorOf = ({ horizon, position }: Place) => Buffer.from(`${horizon}.${position}`).toString("base64url")

const largest = 2n ** 63n

/** The place that a cursor means, if it is one, letter by letter as it was given out. */
const placeOf = (cursor: string): Option.Option<Place> => {
  const text = Buffer.from(cursor, "base64url").toString("latin1")
  const [, horizon, position] = /^(\d{1,19})\.(\d{1,19})$/u.exec(text) ?? []
  if (horizon === undefined || position === undefined) return Option.none()
  return cursorOf({ horizon, position }) === cursor && BigInt(horizon) < largest && BigInt(position) < largest
    ? Option.some({ horizon, position })
    : Option.none()
}

/**
 * Events in the table `events`, by their horizon and then by their position.
 *
 * The horizon of an event is the number of its transaction, or that of the last transaction that had ended as the
 * event was written, whichever is later. Neither alone would do. Transactions are numbered as they begin to write or
 * to lock, so that one may wait for a record, and change it, behind another of a later number; but then that one has
 * ended, and is within the horizon. Of one horizon, the position decides: it is drawn while the record is still held.
 * So what was over before an event was written comes before it, and the changes of a record in their order.
 *
 * No horizon lies before the number of its own transaction. So below the oldest transaction that still runs anywhere
 * in the cluster nothing can appear any more, and that much is told; the rest follows once it has ended.
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
        SELECT body, horizon::text, position::text FROM events
        WHERE business_id = ${businessId} AND NOT sample
          AND (horizon, position) > (${from.value.horizon}::xid8, ${from.value.position}::bigint)
          AND horizon < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY events.horizon, events.position LIMIT ${limit + 1}`)
      const told = rows.slice(0, limit)
      const last = told.at(-1)
      return Option.some({
        bodies: told.map(({ body }) => body),
        cursor: cursorOf(
          last === undefined ? from.value : { horizon: last.horizon, position: last.position }
        ),
        hasMore: rows.length > limit
      })
    })

    return EventHistory.of({ after })
  })
)
