/**
 * Forward-only migrations. Each runs in a transaction of its own that also records it.
 *
 * Every transaction first takes the same advisory lock and then reads which migrations are missing, so that several
 * nodes may migrate at the same time. The lock belongs to the transaction, so it works through a connection pooler and
 * is released if the node dies.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { traced } from "@livery/domain"
import type { OnProgress } from "@livery/domain"
import { databaseError } from "../statements/PgErrors.ts"

/**
 * One migration: a list of statements, a text of several, or an effect that runs some. None can end its transaction. A distributed
 * database refuses a text with several statements about tables of businesses, so that new migrations are lists.
 */
export type Migration =
  | string
  | ReadonlyArray<string>
  | Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>

/** All migrations by name, such as `0001_trips`: a number that sets the order, and a subject. */
export type Migrations = Readonly<Record<string, Migration>>

/** A migration failed and was rolled back. The ones before it remain applied. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  migration: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  cause: Schema.Defect()
}) {
  override get message() {
    const why = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `Migration ${this.migration} failed${this.line === undefined ? "" : ` in line ${this.line}`}: ${why}`
  }
}

/**
 * The database has migrations that this program does not have, because a newer program applied them. Nothing was
 * changed.
 */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  unknown: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The database has migrations that this program does not have (${this.unknown.join(", ")}): run a newer version`
  }
}

/**
 * The database has other migrations under numbers that this program has too: a version before the first release made it.
 * Nothing was changed.
 */
export class DatabaseOfOtherMigrations extends Schema.TaggedError<DatabaseOfOtherMigrations>()(
  "DatabaseOfOtherMigrations",
  { unknown: Schema.Array(Schema.String) }
) {
  override get message() {
    return `The database has migrations that were replaced before the first release (${this.unknown.join(", ")}): use a new database, or the version that made this one`
  }
}

/** A missing migration has a lower number than an applied one. Nothing was changed; give it a higher number. */
export class MigrationOutOfOrder extends Schema.TaggedError<MigrationOutOfOrder>()("MigrationOutOfOrder", {
  migration: Schema.String,
  applied: Schema.String
}) {
  override get message() {
    return `Migration ${this.migration} has a lower number than ${this.applied}, which is applied already: give it a higher one`
  }
}

interface Step {
  readonly id: number
  readonly key: string
  readonly migration: Migration
}

const LOCK = 5_483_796_289

const toSteps = (migrations: Migrations): ReadonlyArray<Step> => {
  const steps = Object.entries(migrations)
    .map(([key, migration]) => ({ id: Number.parseInt(key, 10), key, migration }))
    .sort((a, b) => a.id - b.id)
  const wrong = steps.find(({ id, key }, index) => !/^\d+_./u.test(key) || id === steps[index + 1]?.id)
  if (wrong !== undefined)
    throw new Error(`Migration ${wrong.key} has no number, or that of another migration`)
  return steps
}

const readApplied = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ key: string }>`SELECT name AS key FROM livery_migrations ORDER BY migration_id`, (rows) =>
    rows.map(({ key }) => key)
  )

const next = (steps: ReadonlyArray<Step>, applied: ReadonlyArray<string>) => {
  const known = new Set(steps.map(({ key }) => key))
  const unknown = applied.filter((key) => !known.has(key))
  const numbers = new Set(steps.map(({ id }) => id))
  if (unknown.some((key) => numbers.has(Number.parseInt(key, 10))))
    return Effect.fail(new DatabaseOfOtherMigrations({ unknown }))
  if (unknown.length > 0) return Effect.fail(new DatabaseTooNew({ unknown }))
  const step = steps.find(({ key }) => !applied.includes(key))
  const last = applied.at(-1)
  return step !== undefined && last !== undefined && step.id < Number.parseInt(last, 10)
    ? Effect.fail(new MigrationOutOfOrder({ migration: step.key, applied: last }))
    : Effect.succeed(step)
}

/** Wraps several statements in one, because PostgreSQL's extended protocol allows one statement per message. */
const inOneStatement = (statements: string) => {
  const quote = dollarQuote(statements)
  const body = dollarQuote(`${statements}${quote}`)
  return `DO ${body} BEGIN EXECUTE ${quote}${statements}${quote}; END ${body}`
}

/** A quote that a text does not contain. */
const dollarQuote = (text: string) => {
  let number = 0
  while (text.includes(`$livery${number}$`)) number += 1
  return `$livery${number}$`
}

/** Runs a migration. */
const run = (sql: SqlClient.SqlClient, migration: Migration) => {
  if (typeof migration === "string") return sql.unsafe(inOneStatement(migration)).unprepared
  return Effect.isEffect(migration)
    ? migration
    : Effect.forEach(migration, (statement) => sql.unsafe(statement).unprepared, { discard: true })
}

const failed = (step: Step, error: SqlError.SqlError) => {
  const { migration } = step
  const position = databaseError(error)?.internalPosition
  return new MigrationFailed({
    migration: step.key,
    cause: error,
    ...(typeof migration === "string" && position !== undefined
      ? { line: migration.slice(0, Number(position)).split("\n").length }
      : {})
  })
}

const applyNext = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, steps: ReadonlyArray<Step>) {
  let running: Step | undefined
  return yield* sql
    .withTransaction(
      Effect.gen(function* () {
        // No timeouts: a migration may take long, and so may waiting for that of another node. Citus leaves a new table as it is until
        // `distribute` places it.
        yield* sql`SELECT set_config('statement_timeout', '0', true),
          set_config('idle_in_transaction_session_timeout', '0', true),
          set_config('citus.enable_local_reference_table_foreign_keys', 'off', true)`
        yield* sql`SELECT pg_advisory_xact_lock(${LOCK})`
        yield* sql`CREATE TABLE IF NOT EXISTS livery_migrations (
          migration_id integer PRIMARY KEY,
          name text NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now()
        )`
        const step = yield* next(steps, yield* readApplied(sql))
        if (step === undefined) return undefined
        running = step
        yield* Effect.logDebug(`Applying migration ${step.key}`)
        yield* run(sql, step.migration)
        yield* sql`INSERT INTO livery_migrations (migration_id, name) VALUES (${step.id}, ${step.key})`
        return step.key
      })
    )
    .pipe(
      // The COMMIT belongs to the migration too: it checks deferred constraints.
      Effect.catchTag("SqlError", (error) =>
        Effect.fail(running === undefined ? error : failed(running, error))
      )
    )
})

/**
 * Applies the missing migrations in order, and returns the names of those that this run applied. Several nodes may run
 * it at the same time. A migration without a number, or with the number of another one, is a defect. The progress is in
 * migrations.
 */
export const migrate = traced("Migrations.migrate")(function* (
  migrations: Migrations,
  onProgress: OnProgress = () => undefined
) {
  const sql = yield* SqlClient.SqlClient
  const steps = toSteps(migrations)
  const applied: Array<string> = []
  for (;;) {
    const key = yield* applyNext(sql, steps)
    if (key === undefined) return applied
    applied.push(key)
    onProgress(steps.findIndex((step) => step.key === key) + 1, steps.length)
  }
})

/** The names of the missing migrations, in order. It only reads, and waits for no lock. */
export const pending = traced("Migrations.pending")(function* (migrations: Migrations) {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ there: boolean }>`SELECT to_regclass('livery_migrations') IS NOT NULL AS there`
  const applied = new Set(table?.there === true ? yield* readApplied(sql) : [])
  return toSteps(migrations)
    .map(({ key }) => key)
    .filter((key) => !applied.has(key))
})
