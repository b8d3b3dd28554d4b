/**
 * Safe edits: a response with one record has its `ETag`, and a request that changes the record may send it as
 * `If-Match`. This file declares both in the contract; the handlers' part is in `Etag.ts`.
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const Etag = Schema.String.annotate({
  description: "The version of the record; sent as `If-Match`, the change applies only to this version."
})

/** The schema of a response with one record and its `ETag`. */
export const tagged = <S extends Schema.Top>(body: S) => HttpApiSchema.WithHeaders(body, { etag: Etag })

/** The request headers of a route that changes one record: `If-Match`. A stale one is refused with 409 `conflict`. */
export const ifMatch = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "The `ETag` of the record as it was read; 409 `conflict` if the record was changed since."
    })
  )
}
