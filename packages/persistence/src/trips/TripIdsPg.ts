import { TripId, TripIds } from "@livery/domain"
import { Effect, Schema } from "effect"
import { rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const ids = rowsAs(Schema.Struct({ trip_id: TripId }))

/** How many ids a process draws at once, so that few bookings wait for a further statement. */
const blockSize = 32

/** Draws blocks of ids from the sequence. A transaction that is rolled back returns none, so that a block outlives it. */
export const layer = onPostgres(TripIds, (sql) => {
  const block: Array<TripId> = []
  const draw = ids(
    sql`SELECT nextval('trips_trip_id_seq')::bigint AS trip_id FROM generate_series(1, ${blockSize}::int)`
  )
  const next: Effect.Effect<TripId> = Effect.suspend(() => {
    const id = block.shift()
    if (id !== undefined) return Effect.succeed(id)
    return Effect.flatMap(draw, (drawn) => {
      for (const { trip_id } of drawn) block.push(trip_id)
      return next
    })
  })
  return { next }
})
