/** `livery backup` and `livery restore`: copies of an installation on the embedded database. */
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { outgoingPaused, PlatformSettingRepository, PlatformSettings } from "@livery/domain"
import { Backups, type BackupFailed, migrations, pending, Ports } from "@livery/persistence"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import * as Database from "../../composition/Database.ts"
import { progressBar } from "../../terminal/Progress.ts"
import { CommandRefused } from "../../usage/Refusal.ts"
import { Settings } from "../../settings/Settings.ts"
import { printable } from "../../terminal/TerminalLine.ts"

const refusedBackup = ({ reason }: BackupFailed) => new CommandRefused({ type: "conflict", reason })

/** The data directory of the embedded database. */
const directory = Effect.gen(function* () {
  const { dataDirectory, databaseUrl } = yield* Settings
  if (databaseUrl === undefined) return dataDirectory
  return yield* new CommandRefused({
    type: "conflict",
    reason:
      "DATABASE_URL is set: this command is for the embedded database; use pg_dump or pg_basebackup for your own"
  })
})

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export const backup = Command.make(
  "backup",
  {
    target: Argument.String("directory").pipe(
      Argument.withDescription("The directory of the backup, which does not exist yet")
    ),
    json
  },
  Effect.fn(function* ({ json: asJson, target }) {
    const bar = progressBar("Copying")
    const { secret, uploads } = yield* Settings
    const made = yield* Backups.backup({
      directory: yield* directory,
      target,
      madeAt: DateTime.formatIso(yield* DateTime.now),
      onProgress: bar.update
    }).pipe(
      Effect.catchTag("BackupFailed", (error) => Effect.fail(refusedBackup(error))),
      Effect.ensuring(Effect.sync(bar.end))
    )
    yield* Console.log(
      asJson
        ? JSON.stringify({ directory: target, ...made })
        : `${target}: ${made.files} files, ${megabytes(made.bytes)}`
    )
    if (secret !== undefined)
      yield* Console.error("LIVERY_SECRET is set: keep it with the backup, which does not contain it")
    else if (!existsSync(join(target, "secret")))
      yield* Console.error(
        "The backup has no secret, because the file `secret` of LIVERY_DATA_DIR is missing: restore that file"
      )
    if (uploads !== undefined) yield* Console.error("UPLOADS_URL is set: back up the uploads yourself")
  })
).pipe(
  Command.withDescription(descriptions.backup),
  Command.withExamples([
    { command: "livery backup /backups/2026-11-22", description: "While the server runs" }
  ])
)

/** Reads every row, so that PostgreSQL verifies the checksum of each page. Returns the number of rows. */
const readAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const missing = yield* pending(migrations)
  const tables = yield* sql<{ name: string }>`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'`
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe<{ rows: number }>(`SELECT count(*)::int8 AS rows FROM ${name}`).unprepared,
      ([row]) => row?.rows ?? 0
    )
  )
  return { rows: counts.reduce((sum, count) => sum + count, 0), missing }
})

/** Stores whether webhooks, mail and reminders are held. */
const setPaused = Effect.fnUntraced(function* (isPaused: boolean) {
  const settings = yield* PlatformSettingRepository
  const now = yield* DateTime.now
  yield* settings.lock("outgoing_paused", isPaused, now)
  yield* settings.set("outgoing_paused", isPaused, now)
})

/**
 * Reads the restored database and pauses it. Without a choice, a copy in another place is paused, and one that was restored
 * to its own place stays as it was.
 */
const verifyAndPause = Effect.fnUntraced(
  function* (choice: Option.Option<boolean>, isSamePlace: boolean) {
    const read = yield* readAll
    if (Option.isSome(choice)) yield* setPaused(choice.value)
    else if (!isSamePlace) yield* setPaused(true)
    const settings = yield* PlatformSettings.make
    return { ...read, isPaused: settings.current().outgoing_paused }
  },
  Effect.provide(Layer.provideMerge(Ports.PlatformSettingRepository, Database.layer)),
  Effect.provideService(Database.MigrateEmbedded, false),
  Effect.catchTag("SqlError", ({ reason }) =>
    Effect.fail(
      new CommandRefused({
        type: "conflict",
        reason: `The database of the backup cannot be read, so nothing was restored (${printable(reason.message)}): use another backup`
      })
    )
  )
)

const paused = Flag.Boolean("paused").pipe(
  Flag.optional,
  Flag.withDescription(
    "Hold webhooks, mail, reminders and the reconciliation with the payment provider until `livery resume`. This is the " +
      "default unless the backup was made of this directory of this machine"
  )
)

export const restore = Command.make(
  "restore",
  {
    source: Argument.String("directory").pipe(Argument.withDescription("The directory of the backup")),
    paused,
    json
  },
  Effect.fn(function* ({ json: asJson, paused, source }) {
    const target = yield* directory
    const bar = progressBar("Restoring")
    const { verified, ...restored } = yield* Backups.restore({
      source,
      directory: target,
      onProgress: bar.update,
      verify: (isSamePlace) => verifyAndPause(paused, isSamePlace)
    }).pipe(
      Effect.catchTag("BackupFailed", (error) => Effect.fail(refusedBackup(error))),
      Effect.ensuring(Effect.sync(bar.end))
    )
    const { isPaused, missing, rows } = verified
    yield* Console.log(
      asJson
        ? JSON.stringify({
            directory: target,
            ...restored,
            rows,
            missing_migrations: missing,
            outgoing_paused: isPaused
          })
        : `${target}: ${restored.files} files, ${megabytes(restored.bytes)}, ${rows} rows`
    )
    if (isPaused) yield* Console.error(outgoingPaused)
  })
).pipe(
  Command.withDescription(descriptions.restore),
  Command.withExamples([
    {
      command: "LIVERY_DATA_DIR=/srv/livery livery restore /backups/2026-11-22",
      description: "To a directory without an installation; then run livery check money"
    },
    {
      command: "LIVERY_DATA_DIR=/srv/livery livery restore --no-paused /backups/2026-11-22",
      description: "Webhooks, mail and reminders are sent from the first start"
    }
  ])
)
