/** The worker that bounds the tables that grow, by the retention periods of the platform's settings. */
import { PlatformSettings, retentionDays, tracedRound } from "@livery/domain"
import { Effect, Layer, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { growingTables, sweepTable, type GrowingName } from "./Generations.ts"
import { sweepKeys } from "./IdempotencyGenerations.ts"

const names = Object.keys(growingTables) as ReadonlyArray<GrowingName>

/** Sweeps each table once. A failure of one does not affect the others. */
export const sweep = Effect.gen(function* () {
  const { current } = yield* PlatformSettings
  const settings = current()
  const days = retentionDays(settings)
  const logged = <E, R>(name: string, swept: Effect.Effect<number, E, R>) =>
    swept.pipe(
      Effect.tap((dropped) =>
        dropped === 0
          ? Effect.void
          : Effect.logInfo("Data older than its retention period was dropped", { table: name, dropped })
      ),
      Effect.ignoreCause({
        log: "Warn",
        message: `Old ${name} could not be dropped; the next sweep tries again`
      })
    )
  for (const name of names) yield* logged(name, sweepTable(growingTables[name], days[name]))
  yield* logged("idempotency keys", sweepKeys(settings.idempotency_retention_days))
})

/** Runs the worker while its scope lives: it sweeps every ten minutes. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient | PlatformSettings> = Layer.effectDiscard(
  Effect.forkScoped(
    Effect.schedule(tracedRound("worker.drop_old_data", sweep), Schedule.spaced("10 minutes"))
  )
)
