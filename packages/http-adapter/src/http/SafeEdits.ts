/**
 * Safe edits: the answer that holds one record carries its `ETag`, and who changes the record may say with `If-Match`
 * which state of it was seen. What the contract says of both; the handlers' part is in `Etag.ts`.
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const Etag = Schema.String.annotate({
  description: "Names this state of the record; send it as `If-Match` to change only this state."
})

/** A body of one record, answered with the record's `ETag`. */
export const tagged = <S extends Schema.Top>(body: S) => HttpApiSchema.WithHeaders(body, { etag: Etag })

/** The request headers of a route that changes one record: `If-Match`, and 409 `conflict` if it is stale. */
export const ifMatch = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "The `ETag` of the record as it was seen; if it stands otherwise now, 409 `conflict`."
    })
  )
}
