/**
 * The one envelope of every response (docs/api/conventions.md):
 *
 *     { data, meta: { request_id, pagination? } }
 *
 * Handlers return plain values. The schemas here put the envelope around them while encoding, take it off while
 * decoding, and describe it in OpenAPI. `WireError.ts` does the same for errors.
 */
import { Effect, Schema, SchemaTransformation } from "effect"
import { requestId } from "./CurrentRequest.ts"
import { type Paged, Pagination } from "./Pages.ts"

/** `meta` of a response without pagination. */
export const Meta = Schema.Struct({ request_id: Schema.String })

/**
 * How a handler's value becomes an envelope: whether it is a page of a list, the part that is `data`, its schema, and the
 * fields of `meta` besides the id.
 */
export interface EnvelopeForm<in A = never> {
  readonly isList: boolean
  readonly schema: Schema.Codec<unknown, unknown>
  readonly data: (value: A) => unknown
  readonly meta: (value: A) => object | undefined
}

/** The annotation of a success schema that holds its {@link EnvelopeForm}, for code that builds the envelope itself. */
export const envelopeForm = "@livery/contract/envelopeForm"

const PagedMeta = Schema.Struct({ request_id: Schema.String, pagination: Pagination })

/** `data` in the envelope. Make it once for each record and name it: OpenAPI lists it by that name. */
export const data = <A, I>(
  schema: Schema.Codec<A, I>,
  identifier: string
): Schema.Codec<A, { readonly data: I; readonly meta: typeof Meta.Type }> => {
  const form: EnvelopeForm<A> = { isList: false, schema, data: (value) => value, meta: () => undefined }
  return Schema.Struct({ data: schema, meta: Meta }).pipe(
    Schema.annotate({ identifier }),
    Schema.decodeTo(
      Schema.toType(schema),
      SchemaTransformation.transformEffect<A, { readonly data: A; readonly meta: typeof Meta.Type }>({
        decode: (body) => Effect.succeed(body.data),
        encode: (value) => Effect.map(requestId, (request_id) => ({ data: value, meta: { request_id } }))
      })
    ),
    Schema.annotate({ [envelopeForm]: form })
  )
}

/** A list in the envelope, with its pagination block. */
export const list = <A, I>(
  schema: Schema.Codec<A, I>,
  identifier: string
): Schema.Codec<Paged<A>, { readonly data: ReadonlyArray<I>; readonly meta: typeof PagedMeta.Type }> => {
  const form: EnvelopeForm<Paged<A>> = {
    isList: true,
    schema: Schema.Array(schema),
    data: ({ items }) => items,
    meta: ({ pagination }) => ({ pagination })
  }
  return Schema.Struct({ data: Schema.Array(schema), meta: PagedMeta }).pipe(
    Schema.annotate({ identifier }),
    Schema.decodeTo(
      Schema.Struct({ items: Schema.Array(Schema.toType(schema)), pagination: Pagination }),
      SchemaTransformation.transformEffect<
        Paged<A>,
        { readonly data: ReadonlyArray<A>; readonly meta: typeof PagedMeta.Type }
      >({
        decode: (body) => Effect.succeed({ items: body.data, pagination: body.meta.pagination }),
        encode: ({ items, pagination }) =>
          Effect.map(requestId, (request_id) => ({ data: items, meta: { request_id, pagination } }))
      })
    ),
    Schema.annotate({ [envelopeForm]: form })
  )
}
