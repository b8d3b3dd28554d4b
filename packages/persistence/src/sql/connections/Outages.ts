import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { isDiskFull, isReadOnlyServer } from "../statements/PgErrors.ts"

/** Records whether the database responds in time and accepts writes. */
export interface Outages {
  /** Records the failure of a statement. Errors that say nothing about the connection or the time it took are ignored. */
  readonly failed: (error: SqlError.SqlError, statement: string) => void
  /** Records a successful response, by its command tag from PostgreSQL. */
  readonly answered: (command: string) => void
}

const logIntervalMillis = 60_000

const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"])

/**
 * One kind of outage: logs its beginning, then at most once a minute while it lasts, and its end. It ends with the first success
 * that comes `settleMillis` after the last failure.
 */
export const makeOutage = Effect.fnUntraced(function* (beginning: string, end: string, settleMillis = 0) {
  const log = Effect.runForkWith(yield* Effect.context())
  const clock = yield* Clock.Clock
  let since: number | undefined
  let loggedAt: number | undefined
  let lastAt = 0
  const secondsSince = (time: number) => Math.round((clock.currentTimeMillisUnsafe() - time) / 1000)
  return {
    lasts: (reason: string) => {
      const now = clock.currentTimeMillisUnsafe()
      since ??= now
      lastAt = now
      if (loggedAt !== undefined && now - loggedAt < logIntervalMillis) return
      loggedAt = now
      log(Effect.logWarning(beginning, { reason, for_s: secondsSince(since) }))
    },
    ends: () => {
      if (since === undefined || clock.currentTimeMillisUnsafe() - lastAt < settleMillis) return
      log(Effect.logInfo(end, { after_s: secondsSince(since) }))
      since = undefined
      loggedAt = undefined
    }
  }
})

/**
 * Logs outages, and each statement that PostgreSQL stopped, at its time limit or because an administrator cancelled it. The
 * failures themselves are not logged elsewhere, because every request and every worker has one. A database that has never
 * responded, or never accepted a write, has no outage; the startup reports it.
 */
export const makeOutages = Effect.gen(function* () {
  const silence = yield* makeOutage("the database does not answer", "the database answers again")
  const readOnly = yield* makeOutage("the database takes no writes", "the database takes writes again")
  // On a full disk, a write succeeds where a table has free space.
  const fullDisk = yield* makeOutage(
    "the disk of the database is full",
    "the database takes writes again",
    logIntervalMillis
  )
  const log = Effect.runForkWith(yield* Effect.context())
  let hasAnswered = false
  let hasWritten = false
  return {
    failed: (error, statement) => {
      const { _tag } = error.reason
      if (_tag === "StatementTimeoutError")
        log(Effect.logWarning("PostgreSQL stopped a statement", { reason: error.message, statement }))
      else if (isDiskFull(error)) fullDisk.lasts(error.message)
      else if (isReadOnlyServer(error)) {
        if (hasWritten) readOnly.lasts(error.message)
      } else if (hasAnswered && (_tag === "ConnectionError" || _tag === "AuthenticationError"))
        silence.lasts(error.message)
    },
    answered: (command) => {
      hasAnswered = true
      silence.ends()
      if (!writes.has(command)) return
      hasWritten = true
      readOnly.ends()
      fullDisk.ends()
    }
  } satisfies Outages
})
