/** The rows that the statements of a claim return, distinguished by `kind`. */
import { BusinessId, DeliveryId, EndpointId, EventType } from "@livery/domain"
import { Schema } from "effect"
import { rowsDecoder } from "../sql/rows/RowDecoder.ts"

/**
 * The summary of a claim, one row: the database's time, whether another dispatcher had the claim lock (`is_contended`),
 * whether only the limits prevented a claim (`is_held_back`), and whether this claim had the lock (`has_lock`).
 */
export const SummaryRow = Schema.Struct({
  kind: Schema.Literal("summary"),
  database_ms: Schema.Finite,
  is_contended: Schema.Boolean,
  is_held_back: Schema.Boolean,
  has_lock: Schema.Boolean
})

const delivery = {
  business_id: BusinessId,
  endpoint_id: EndpointId,
  delivery_id: DeliveryId,
  event_id: Schema.String,
  attempt: Schema.Int
}

/** A delivery that was claimed. */
export const ClaimedRow = Schema.Struct({
  kind: Schema.Literal("claimed"),
  ...delivery,
  age_ms: Schema.Int
})
export type ClaimedRow = typeof ClaimedRow.Type

/**
 * A delivery that the statement did not claim but changed. Those with an unreported attempt are `requeued` (due again),
 * `failed`, or `abandoned` (cancelled before). A delivery that failed without an attempt is `unsent`.
 */
export const UnclaimedRow = Schema.Struct({
  kind: Schema.Literals(["requeued", "failed", "abandoned", "unsent"]),
  ...delivery
})
export type UnclaimedRow = typeof UnclaimedRow.Type

/** The body of an event that was claimed, once for all of its deliveries. */
export const BodyRow = Schema.Struct({
  kind: Schema.Literal("body"),
  business_id: BusinessId,
  event_id: Schema.String,
  event_type: EventType,
  body: Schema.String,
  trace_parent: Schema.NullOr(Schema.String)
})
export type BodyRow = typeof BodyRow.Type

/** The address and the secrets of an enabled endpoint, once for all of its deliveries. */
export const EndpointRow = Schema.Struct({
  kind: Schema.Literal("endpoint"),
  endpoint_id: EndpointId,
  url: Schema.String,
  sealed_secret: Schema.String,
  retired_secrets: Schema.Array(Schema.String)
})
export type EndpointRow = typeof EndpointRow.Type

/** Makes the function that decodes the rows of some kinds, and leaves out the others. */
export const rowsOfKind = <A, I>(
  schema: Schema.Codec<A, I>,
  ...kinds: ReadonlyArray<string>
): ((rows: ReadonlyArray<{ readonly kind: string }>) => ReadonlyArray<A>) => {
  const decode = rowsDecoder(schema)
  return (rows) => decode(rows.filter(({ kind }) => kinds.includes(kind)))
}
