import { EmbeddedPostgres, migrate, migrations, PgClient } from "@livery/persistence"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { runningPostmaster } from "../../../packages/persistence/src/embedded/Postmaster.ts"
import { dataOf } from "../../../packages/persistence/src/embedded/DataDirectory.ts"
import { scratchPrefix } from "../../support/ScratchDirectory.ts"
import { until } from "./Office.ts"

/** A PostgreSQL of a test's own, that it may mistreat. */
export interface OwnPostgres {
  /** `DATABASE_URL` and `LIVERY_SECRET` for who uses it. */
  readonly settings: Readonly<Record<string, string>>
  /** Ends the server without a shutdown, as a crash does, and gives once it is back: it starts again at once. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts one, with the tables. */
export const ownPostgres = async (): Promise<OwnPostgres> => {
  const scope = Scope.makeUnsafe()
  const directory = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  const { url } = await Effect.runPromise(Scope.provide(scope)(EmbeddedPostgres.open({ directory })))
  await Effect.runPromise(migrate(migrations).pipe(Effect.provide(PgClient.layer({ url }).pipe(Layer.orDie))))
  const postmaster = () => runningPostmaster(dataOf(directory))
  return {
    settings: { DATABASE_URL: Redacted.value(url), LIVERY_SECRET: randomBytes(24).toString("hex") },
    restart: async () => {
      const before = postmaster()?.pid ?? 0
      process.kill(before, "SIGQUIT")
      await until(() => {
        const now = postmaster()
        return now !== undefined && now.pid !== before && now.ready
      })
    },
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(directory, { recursive: true, force: true })
    }
  }
}
