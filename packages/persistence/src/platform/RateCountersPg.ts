/** Rate counters that every node of a database shares. */
import { Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CountersAway, RateCounters, windowSeconds } from "@livery/domain"
import { rowsAs } from "../sql/Rows.ts"

const counts = rowsAs(Schema.Struct({ used: Schema.Int, resets_at: Schema.Int }))

/** A request waits no longer than this to be counted. */
const patience = "1 second"

/** One statement a count, in a window by the server's clock: nodes whose own clocks differ agree. */
export const layer = Layer.effect(
  RateCounters,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const away = (reason: string) => new CountersAway({ reason })
    // Those of the window before stay for a statement that read the clock just before it turned.
    const prune = sql`
      DELETE FROM rate_counters
      WHERE window_no < floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds})::bigint - 1`
    yield* prune.pipe(
      Effect.ignoreCause({ log: "Debug", message: "old rate counters were not removed" }),
      Effect.schedule(Schedule.spaced(`${windowSeconds} seconds`)),
      Effect.forkScoped
    )
    return RateCounters.of({
      countNow: () => undefined,
      count: Effect.fn("RateCounters.count")(function* (key: string) {
        const [row] = yield* counts(sql`
          INSERT INTO rate_counters AS c (window_no, key, used)
          VALUES (floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds})::bigint, ${key}, 1)
          ON CONFLICT (window_no, key) DO UPDATE SET used = c.used + 1
          RETURNING used, (window_no + 1) * ${windowSeconds} AS resets_at`).pipe(
          Effect.catchDefect((defect) => Effect.fail(away(String(defect)))),
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(away(`not within ${patience}`))
          })
        )
        if (row === undefined) return yield* away("nothing was counted")
        return { used: row.used, resetsAt: row.resets_at }
      })
    })
  })
)
