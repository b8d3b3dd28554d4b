/** Decodes the rows of statements. */
import { Array, DateTime, Effect, type Option, Schema } from "effect"
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

/** The first row of a statement that returns one; a defect if it returns none. */
export const oneRow = <A>(rows: Effect.Effect<ReadonlyArray<A>>): Effect.Effect<A> =>
  Effect.flatMap(rows, ([row]) => Effect.orDie(Effect.fromNullishOr(row)))

/** The first row of a statement; `None` if it returns none. */
export const firstOf = <A>(rows: Effect.Effect<ReadonlyArray<A>>): Effect.Effect<Option.Option<A>> =>
  Effect.map(rows, Array.head)

/** Runs a statement whose rows are not needed. A failed statement becomes a defect, as with {@link rowsAs}. */
export const execute = <E>(statement: Effect.Effect<unknown, E>): Effect.Effect<void> =>
  Effect.asVoid(Effect.orDie(statement))
