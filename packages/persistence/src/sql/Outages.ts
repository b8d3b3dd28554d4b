import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Follows whether the database answers. */
export interface Outages {
  readonly failed: (error: SqlError.SqlError) => void
  readonly answered: () => void
}

const loggedEvery = 60_000

/**
 * Logs an outage: one line when it begins, one for each minute that it lasts, and one when it is over. The failures
 * themselves are logged nowhere else, since each request and each worker has one.
 */
export const makeOutages = Effect.gen(function* () {
  const log = Effect.runForkWith(yield* Effect.context())
  let since: number | undefined
  let loggedAt = 0
  return {
    failed: ({ message, reason }) => {
      if (reason._tag !== "ConnectionError" && reason._tag !== "AuthenticationError") return
      const now = Date.now()
      since ??= now
      if (now - loggedAt < loggedEvery) return
      loggedAt = now
      log(
        Effect.logWarning("the database does not answer", {
          reason: message,
          for_s: Math.round((now - since) / 1000)
        })
      )
    },
    answered: () => {
      if (since === undefined) return
      const lasted = Date.now() - since
      since = undefined
      loggedAt = 0
      log(Effect.logInfo("the database answers again", { after_s: Math.round(lasted / 1000) }))
    }
  } satisfies Outages
})
