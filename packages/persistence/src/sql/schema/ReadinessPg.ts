import { Clock, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Readiness } from "@livery/domain"
import { migrations } from "../../migrations/index.ts"
import { pending } from "./Migrations.ts"
import { isDiskFull, isReadOnlyServer } from "../statements/PgErrors.ts"
import { requireDiskSpace, requireWrites } from "./Usability.ts"

const timeout = "2 seconds"

/** The largest difference, at which a node is still ready, between this machine's clock and the database's, in milliseconds. */
export const clockTolerance = 60_000

/**
 * Ready if the database responds within two seconds, has every migration of this program and accepts writes, and this
 * machine's clock is within a minute of the database's: tokens and the signatures of webhooks depend on the clock. A
 * failure is not logged here, because the client logs outages.
 */
export const layer = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* Clock.Clock

    /** One text if this machine's clock differs by more than the tolerance from every moment of the statement. */
    const wrongClock = Effect.gen(function* () {
      const before = clock.currentTimeMillisUnsafe()
      const [row] = yield* sql<{ millis: number }>`
        SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint AS millis`
      const after = clock.currentTimeMillisUnsafe()
      const millis = row?.millis ?? before
      const offset = millis > after ? millis - after : Math.min(millis - before, 0)
      if (Math.abs(offset) <= clockTolerance) return []
      const seconds = Math.round(Math.abs(offset) / 1000)
      return [`the clock is ${seconds} seconds ${offset > 0 ? "behind" : "ahead of"} the database's`]
    })
    const check = pending(migrations).pipe(
      Effect.tap((missing) =>
        missing.length === 0 ? Effect.andThen(requireWrites, requireDiskSpace) : Effect.void
      ),
      Effect.map((missing) => missing.map((migration) => `migration ${migration} is not applied`)),
      Effect.flatMap((missing) => Effect.map(wrongClock, (wrong) => [...missing, ...wrong])),
      Effect.timeout(timeout),
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catch((error) =>
        Effect.succeed([
          SqlError.isSqlError(error) && (isReadOnlyServer(error) || isDiskFull(error))
            ? "the database takes no writes"
            : "the database does not answer"
        ])
      )
    )
    return Readiness.of({ check })
  })
)
