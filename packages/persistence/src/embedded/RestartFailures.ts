import { Effect } from "effect"
import type { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/**
 * Makes the function that logs why the server of a directory could not be started again. The start is tried each second, so a
 * reason is logged only if it differs from the one before.
 */
export const makeLogRestartFailure = (directory: string) => {
  let last: string | undefined
  return ({ detail }: Pick<EmbeddedPostgresError, "detail">) => {
    if (detail === last) return Effect.void
    last = detail
    return Effect.logError("the embedded database ended and could not be started again; trying each second", {
      directory,
      reason: detail
    })
  }
}
