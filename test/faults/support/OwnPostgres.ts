import { EmbeddedPostgres, migrate, migrations, PgClient } from "@livery/persistence"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { runningPostmaster } from "../../../packages/persistence/src/embedded/Postmaster.ts"
import { dataOf } from "../../../packages/persistence/src/embedded/DataDirectory.ts"
import { scratchPrefix } from "../../support/ScratchDirectory.ts"
import { until } from "./Deployment.ts"

/** A PostgreSQL of one test, which may crash it. */
export interface OwnPostgres {
  /** `DATABASE_URL` and `LIVERY_SECRET` of an installation on this server. */
  readonly settings: Readonly<Record<string, string>>
  /** Makes the server crash. It restarts by itself; resolves once it accepts connections again. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a server, and applies the migrations. */
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
