/** Random references of records, which people read aloud. */
import { Effect, Option } from "effect"
import { crockford } from "./Crockford.ts"
import type { Cryptography } from "./Cryptography.ts"

/** After so many taken names in a row, something else is wrong. With a thousand million records, one reference in 34 is taken. */
export const mostAttempts = 20

/**
 * Stores a record under the first name that is free. `draw` makes a name for an attempt, from 0 on. `store` returns `None` if the
 * name is taken. It is a defect if {@link mostAttempts} names in a row are taken.
 */
export const storeUnderFreeName = <A, E, R>(
  draw: (attempt: number) => Effect.Effect<string>,
  store: (name: string) => Effect.Effect<Option.Option<A>, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const stored = yield* store(yield* draw(attempt))
      if (Option.isSome(stored)) return stored.value
    }
    return yield* Effect.die(new Error(`${mostAttempts} new names in a row were taken`))
  })

/** Draws a reference, such as `TR-4K7QX2M` for the prefix `TR`. */
export const drawReference = (
  { randomBytes }: Cryptography["Service"],
  prefix: string
): Effect.Effect<string> => Effect.map(randomBytes(7), (bytes) => `${prefix}-${crockford(bytes)}`)

/** Makes the function that stores a record under a new reference. */
export const makeStoreWithReference =
  (cryptography: Cryptography["Service"], prefix: string) =>
  <A, E, R>(store: (reference: string) => Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, E, R> =>
    storeUnderFreeName(() => drawReference(cryptography, prefix), store)
