/** How rows become what the domain speaks of: decoded, never claimed. */
import { DateTime, Effect, Schema } from "effect"
import { BusinessId, BusinessStatus, Currency } from "@livery/domain"
import { rowsDecoder } from "./RowDecoder.ts"

/** A `timestamptz`, which the client gives as a `Date`. */
export const Instant = Schema.DateTimeUtcFromDate

/** An instant as a parameter. */
export const instant = (at: DateTime.Utc): Date => DateTime.toDateUtc(at)

/** The columns that make an acting business, of a `businesses` row called `b`. */
export const ActingBusinessRow = Schema.Struct({
  business_id: BusinessId,
  business_name: Schema.String,
  status: BusinessStatus,
  currency: Currency,
  timezone: Schema.String
})

/**
 * Decodes the rows of a statement, all or none. A failing statement and a row of another shape die: no caller of a
 * repository can act on either.
 */
export const rowsAs = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(schema)
  return <E>(statement: Effect.Effect<ReadonlyArray<object>, E>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.orDie(Effect.map(statement, decode))
}
