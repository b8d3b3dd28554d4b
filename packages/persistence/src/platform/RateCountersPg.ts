/** Rate counters that every node of a database shares. */
import {
  CountersUnavailable,
  type Demand,
  RateStore,
  SharedRateCounters,
  windowSeconds
} from "@livery/domain"
import { Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"

const countersOf = rowsAs(
  Schema.Struct({
    key: Schema.NullOr(Schema.String),
    used: Schema.NullOr(Schema.Int),
    resets_at: Schema.Int,
    remaining_ms: Schema.Int
  })
)

/**
 * A store that counts all keys of a batch in one statement. The window follows the database's clock, so that nodes with
 * different clocks agree. The keys are sorted, so that the statements of two nodes cannot deadlock.
 */
export const store = Layer.effect(
  RateStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const unavailable = (reason: string) => new CountersUnavailable({ reason })
    // The previous window is kept for a statement that read the clock just before the new one began. The clock is read in
    // a subquery, once, so that the old counters are one range of the index.
    const prune = sql`
      DELETE FROM rate_counters
      WHERE window_no < (SELECT floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds})::bigint - 1)`
    yield* prune.pipe(
      Effect.ignoreCause({ log: "Debug", message: "old rate counters were not removed" }),
      Effect.schedule(Schedule.spaced(`${windowSeconds} seconds`)),
      Effect.forkScoped
    )
    const take = (demands: ReadonlyArray<Demand>) => {
      const keys = demands.map(({ key }) => key)
      const counts = demands.map(({ count }) => count)
      return countersOf(sql`
        WITH clock AS MATERIALIZED (
          SELECT floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds})::bigint AS window_no
        ), taken AS (
          INSERT INTO rate_counters AS c (window_no, key, used)
          SELECT window_no, d.key, d.count
          FROM clock, unnest(${keys}::text[], ${counts}::int[]) AS d (key, count) ORDER BY d.key
          ON CONFLICT (window_no, key) DO UPDATE SET used = c.used + EXCLUDED.used
          RETURNING c.key, c.used
        )
        SELECT taken.key, taken.used, (window_no + 1) * ${windowSeconds} AS resets_at,
          greatest(0, ceil(((window_no + 1) * ${windowSeconds} - extract(epoch FROM clock_timestamp())) * 1000))::int
            AS remaining_ms
        FROM clock LEFT JOIN taken ON true`)
    }
    return RateStore.of({
      take: Effect.fnUntraced(function* (demands) {
        const rows = yield* Effect.catchDefect(take(demands), (defect) =>
          Effect.fail(unavailable(String(defect)))
        )
        const usedByKey = new Map(rows.map((row) => [row.key, row.used]))
        const [row] = rows
        if (row === undefined) return yield* unavailable("nothing was counted")
        return {
          used: demands.map(({ key }) => usedByKey.get(key) ?? 0),
          resetsAt: row.resets_at,
          remainingMillis: row.remaining_ms
        }
      })
    })
  })
)

/** Rate counters over that store. */
export const layer = Layer.provide(SharedRateCounters.layer, store)
