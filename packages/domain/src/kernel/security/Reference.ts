/** Random references of records, which people read aloud. */
import { Effect } from "effect"
import { crockford } from "./Crockford.ts"
import type { Cryptography } from "./Cryptography.ts"

/** A new reference, such as `TR-4K7QX2M` for the prefix `TR`. It may be taken: the caller then makes another. */
export const makeReference = (
  { randomBytes }: Cryptography["Service"],
  prefix: string
): Effect.Effect<string> => Effect.map(randomBytes(7), (bytes) => `${prefix}-${crockford(bytes)}`)
