/**
 * The one envelope of every answer (specification, What the service does):
 *
 *     { data, meta: { request_id, pagination? } }
 *     { error: { type, message, details? }, meta: { request_id } }
 *
 * Handlers give plain values and fail with the domain's errors. The schemas here put the envelope around them while
 * encoding, take it off while decoding, and describe it in OpenAPI.
 */
import { Context, Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type Paged, Pagination } from "./Pages.ts"

/**
 * The id of the request that is being answered. A reference with a default, since errors are encoded outside of the
 * middleware that could provide a service.
 */
export const RequestId = Context.Reference<string>("@livery/http-adapter/RequestId", {
  defaultValue: () => "req_000000000000000000000000"
})

/** When who was refused for now may come back, in seconds: noted as the refusal is encoded, for the answer's header. */
export const ComeBack = Context.Reference<{ afterSeconds?: number }>("@livery/http-adapter/ComeBack", {
  defaultValue: () => ({})
})

const Meta = Schema.Struct({ request_id: Schema.String })

const PagedMeta = Schema.Struct({ request_id: Schema.String, pagination: Pagination })

/** `data` in the envelope. Make it once for each record and name it: OpenAPI lists it by that name. */
export const data = <A, I>(
  schema: Schema.Codec<A, I>,
  identifier: string
): Schema.Codec<A, { readonly data: I; readonly meta: typeof Meta.Type }> =>
  Schema.Struct({ data: schema, meta: Meta }).pipe(
    Schema.annotate({ identifier }),
    Schema.decodeTo(
      Schema.toType(schema),
      SchemaTransformation.transformEffect<A, { readonly data: A; readonly meta: typeof Meta.Type }>({
        decode: (body) => Effect.succeed(body.data),
        encode: (value) => Effect.map(RequestId, (request_id) => ({ data: value, meta: { request_id } }))
      })
    )
  )

/** A list in the envelope, with its pagination block. */
export const list = <A, I>(
  schema: Schema.Codec<A, I>,
  identifier: string
): Schema.Codec<Paged<A>, { readonly data: ReadonlyArray<I>; readonly meta: typeof PagedMeta.Type }> =>
  Schema.Struct({ data: Schema.Array(schema), meta: PagedMeta }).pipe(
    Schema.annotate({ identifier }),
    Schema.decodeTo(
      Schema.Struct({ items: Schema.Array(Schema.toType(schema)), pagination: Pagination }),
      SchemaTransformation.transformEffect<
        Paged<A>,
        { readonly data: ReadonlyArray<A>; readonly meta: typeof PagedMeta.Type }
      >({
        decode: (body) => Effect.succeed({ items: body.data, pagination: body.meta.pagination }),
        encode: ({ items, pagination }) =>
          Effect.map(RequestId, (request_id) => ({ data: items, meta: { request_id, pagination } }))
      })
    )
  )

/** What an error's `details` hold, and how they are made from the error and read back. */
interface Details<A, D> {
  readonly schema: Schema.Codec<D, D>
  readonly of: (error: A) => D | undefined
  readonly fields: (details: D | undefined) => object
}

/** An error on the wire. */
export interface WireError<Type extends string> {
  readonly error: { readonly type: Type; readonly message: string; readonly details?: unknown }
  readonly meta: typeof Meta.Type
}

/** A refusal that says for how long. */
const hasEnd = Schema.is(Schema.Struct({ retryAfterSeconds: Schema.Int }))

/**
 * The wire form of a domain error: its `type`, its status, and its details if it has any.
 */
export const wire = <
  A extends { readonly _tag: string; readonly message: string },
  I,
  const Type extends string,
  D = never
>(
  error: Schema.Codec<A, I> & { readonly identifier: string },
  options: {
    readonly status: number
    readonly type: Type
    readonly details?: Details<A, D>
    /** The fields of the error that the wire does not carry, for clients that decode it. */
    readonly fields?: object
  }
): Schema.Codec<A, WireError<Type>> => {
  const decode = Schema.decodeUnknownEffect(error)
  const { details, fields = {}, status, type } = options
  const told = { type: Schema.Literal(type), message: Schema.String }
  const body: Schema.Codec<WireError<Type>["error"], WireError<Type>["error"]> =
    details === undefined
      ? Schema.Struct(told)
      : Schema.Struct({ ...told, details: Schema.optionalKey<Schema.Codec<unknown>>(details.schema) })
  return Schema.Struct({
    error: body,
    meta: Meta
  }).pipe(
    Schema.annotate({ identifier: `${error.identifier}Error` }),
    Schema.decodeTo(
      Schema.toType(error),
      SchemaTransformation.transformEffect<A, WireError<Type>>({
        decode: (body) =>
          decode({
            _tag: error.identifier,
            ...fields,
            ...details?.fields(body.error.details as D | undefined)
          }).pipe(Effect.mapError((failure) => failure.issue)),
        encode: Effect.fnUntraced(function* (value) {
          const request_id = yield* RequestId
          if (hasEnd(value)) (yield* ComeBack).afterSeconds = value.retryAfterSeconds
          const stake = details?.of(value)
          return {
            error: { type, message: value.message, ...(stake === undefined ? {} : { details: stake }) },
            meta: { request_id }
          }
        })
      })
    ),
    HttpApiSchema.status(status)
  )
}
