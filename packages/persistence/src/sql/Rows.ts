/** Decodes the rows of statements. */
import { DateTime, Effect, Schema } from "effect"
import { rowsDecoder } from "./RowDecoder.ts"

/** A `timestamptz`, which the client returns as a `Date`. */
export const Instant = Schema.DateTimeUtcFromDate

/** An instant as a parameter. */
export const instant = (at: DateTime.Utc): Date => DateTime.toDateUtc(at)

/**
 * Decodes the rows of a statement, all or none. A failed statement and a row of another shape become defects, because
 * no caller of a repository can handle them.
 */
export const rowsAs = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(schema)
  return <E>(statement: Effect.Effect<ReadonlyArray<object>, E>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.orDie(Effect.map(statement, decode))
}
