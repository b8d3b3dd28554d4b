import { createHash } from "node:crypto"
import type { SqlError } from "effect/sql"
import { databaseError } from "./PgErrors.ts"
import type { Request } from "./PgSession.ts"

// Bounds of what one connection may hold prepared: lists of changing length must not fill the server.
const PREPARED = 500
const PREPARED_PARAMETERS = 64
const PREPARED_LENGTH = 16_000

/** Names for statements that come back, so that the server parses and plans them once per connection. */
export const makeNames = (enabled: boolean) => {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let generation = 0
  const nameOf = (text: string) =>
    `livery_${createHash("sha256").update(text).digest("base64url").slice(0, 32)}_${generation}`
  return {
    find: (text: string, parameters: ReadonlyArray<unknown>): string | undefined => {
      const known = names.get(text)
      if (known !== undefined) return known
      const count = parameters.length
      // Without parameters a text may hold several statements, which cannot be prepared.
      if (!enabled || count === 0 || count > PREPARED_PARAMETERS || text.length > PREPARED_LENGTH)
        return undefined
      if (names.size >= PREPARED) return undefined
      if (!seenOnce.delete(text)) {
        if (seenOnce.size >= PREPARED) seenOnce.clear()
        seenOnce.add(text)
        return undefined
      }
      const name = nameOf(text)
      names.set(text, name)
      return name
    },
    /** A migration that changes a table's columns outdates what was prepared before it: prepare afresh. */
    outdated: ({ name, text }: Request, failure: SqlError.SqlError | undefined): boolean => {
      if (name === undefined || failure === undefined) return false
      if (databaseError(failure)?.routine !== "RevalidateCachedQuery") return false
      if (names.get(text) === name) {
        generation += 1
        names.set(text, nameOf(text))
      }
      return true
    }
  }
}

/** The names of one pool. */
export type Names = ReturnType<typeof makeNames>
