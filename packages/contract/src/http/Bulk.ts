/** Requests that make many records at once (docs/api/moving.md). */
import { Schema } from "effect"
import { data } from "./Envelope.ts"

const BulkError = Schema.Struct({
  type: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  details_omitted: Schema.optionalKey(Schema.Int)
}).annotate({
  identifier: "BulkRefusal",
  description: "The error that the request for this item alone would have."
})

const status = Schema.Int.annotate({
  description: "The status that the request for this item alone would have."
})

/** The error of an item, in the form of `error` in the envelope. */
export type BulkError = typeof BulkError.Type

/** What became of one item: the record, or the error. */
export type BulkResult<A> =
  | { readonly status: number; readonly data: A }
  | { readonly status: number; readonly error: BulkError }

/** The body of the response: one result for each item, in the order of the items. */
export const bulkResults = <A, I>(record: Schema.Codec<A, I>, identifier: string) => {
  const result: Schema.Codec<BulkResult<A>, BulkResult<I>> = Schema.Union([
    Schema.Struct({ status, data: record }),
    Schema.Struct({ status, error: BulkError })
  ])
  return data(Schema.Array(result), identifier)
}
