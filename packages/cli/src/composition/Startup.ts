/** The checks at the start of a command: the database can be used, and its data was sealed with this secret. */
import { Clock, Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import {
  type DatabaseUnusable,
  Distribution,
  migrate,
  migrations,
  requireUsable,
  SecretCheck,
  sharesSessions,
  unusable
} from "@livery/persistence"
import { Settings } from "../settings/Settings.ts"

/**
 * The options of a command's start. `migrate`: it applies missing migrations first. `wait`: it waits for a database
 * that cannot be used yet, instead of failing.
 */
export const StartupOptions = Context.Reference<{ readonly migrate: boolean; readonly wait: boolean }>(
  "@livery/cli/StartupOptions",
  { defaultValue: () => ({ migrate: false, wait: false }) }
)

/** The data was sealed with another secret, so this process cannot read it. */
export class SecretMismatch extends Schema.TaggedError<SecretMismatch>()("SecretMismatch", {
  isFromFile: Schema.Boolean
}) {
  override get message() {
    return this.isFromFile
      ? "The secret in LIVERY_DATA_DIR is not the one that the data was sealed with: restore its file `secret`, or set LIVERY_SECRET"
      : "LIVERY_SECRET is not the secret that the data was sealed with: set LIVERY_SECRET to the secret of the data"
  }
}

const checkDatabase = Effect.gen(function* () {
  const options = yield* StartupOptions
  if (options.migrate)
    yield* Effect.mapError(Effect.andThen(migrate(migrations), Distribution.distributeNew), (error) =>
      SqlError.isSqlError(error) ? unusable(error) : error
    )
  yield* requireUsable
})

const logInterval = Duration.minutes(1)

/**
 * Retries every second until the database can be used. Logs each new reason immediately, and an unchanged one every
 * minute.
 */
const waitForDatabase = Effect.suspend(() => {
  let last: { readonly reason: string; readonly at: number } | undefined
  const report = ({ reason }: DatabaseUnusable) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (reason === last?.reason && now - last.at < Duration.toMillis(logInterval)) return Effect.void
      last = { reason, at: now }
      return Effect.logWarning("waiting for the database", { reason })
    })
  return checkDatabase.pipe(
    Effect.tapErrorTag("DatabaseUnusable", report),
    Effect.retry({
      schedule: Schedule.spaced("1 second"),
      while: (error) => error._tag === "DatabaseUnusable"
    })
  )
})

/** Checks that the database can be used. If it cannot, this layer waits with the option `wait`, and fails otherwise. */
export const usableDatabase = Layer.effectDiscard(
  Effect.flatMap(StartupOptions, ({ wait }) => (wait ? waitForDatabase : checkDatabase))
)

/** Fails unless the secret is the one that the data was sealed with. */
export const matchingSecret = Layer.effectDiscard(
  Effect.gen(function* () {
    const { secret } = yield* Settings
    if (!(yield* SecretCheck.isSecretOfData))
      return yield* new SecretMismatch({ isFromFile: secret === undefined })
  })
)

/** The line for an installation whose pooler loses prepared statements. */
export const preparedBehindPooler =
  "DATABASE_URL leads to a pooler in transaction mode, which may lose prepared statements: set DATABASE_PREPARE=false, " +
  "otherwise requests can fail with 500"

/** Whether `DATABASE_PREPARE` must be `false` and is not. Fails if the database does not respond. */
export const lacksPoolerSetting = Effect.flatMap(Settings, ({ databasePrepare, databaseUrl }) =>
  databaseUrl === undefined || !databasePrepare ? Effect.succeed(false) : sharesSessions(databaseUrl)
)

/** Logs a warning if the database is behind a pooler that requires another setting. */
export const reportPooler = lacksPoolerSetting.pipe(
  // A database that does not respond is reported by the requests that need it.
  Effect.orElseSucceed(() => false),
  Effect.flatMap((isLacking) => (isLacking ? Effect.logWarning(preparedBehindPooler) : Effect.void))
)
