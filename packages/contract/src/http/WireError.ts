/**
 * Errors on the wire (docs/api/errors.md):
 *
 *     { error: { type, message, details?, details_omitted? }, meta: { request_id } }
 *
 * Handlers fail with the domain's errors. The schemas here put the envelope around them while encoding, take it off
 * while decoding, and describe it in OpenAPI.
 */
import { Effect, Predicate, Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { CurrentRequest, type RequestState } from "./CurrentRequest.ts"
import { Meta } from "./Envelope.ts"

/** The `details` of an error: their schema, and how they are made from the error and read back. */
interface Details<A, D> {
  readonly schema: Schema.Codec<D, D>
  readonly of: (error: A) => D | undefined
  /** The number of details that the error has beyond the ones sent. */
  readonly omitted?: (error: A) => number
  readonly fields: (details: D | undefined) => object
}

/** An error on the wire. */
export interface WireError<Type extends string = string> {
  readonly error: {
    readonly type: Type
    readonly message: string
    readonly details?: unknown
    readonly details_omitted?: number
  }
  readonly meta: typeof Meta.Type
}

/** The wire form of one error of the domain: whether a value is that error, its status, and its body. */
export interface ErrorForm {
  readonly tag: string
  readonly is: (error: unknown) => boolean
  readonly status: number
  /** Makes the body of the response. If the error says when to retry, it also notes that on the request. */
  readonly body: (error: unknown, request: RequestState) => WireError
}

const forms = new WeakMap<object, ErrorForm>()

/** The {@link ErrorForm} of a schema that {@link wireError} made. */
export const errorFormOf = (schema: object): ErrorForm | undefined => forms.get(schema)

/** When a refused caller may retry, in seconds; undefined if the error does not say. */
const retryAfterOf = (error: object): number | undefined =>
  Predicate.hasProperty(error, "retryAfterSeconds") && typeof error.retryAfterSeconds === "number"
    ? error.retryAfterSeconds
    : undefined

const Omitted = Schema.Int.annotate({
  description: "The number of wrong fields that `details` does not list."
})

/** The `details` of an error that has none: declared, so that generated clients can read the field of any error. */
const NoDetails = Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
  description: "Absent: only errors of other types have details."
})

/** The schema of the object `error` in the body. */
const errorSchema = <Type extends string, A, D>(
  type: Type,
  details: Details<A, D> | undefined
): Schema.Codec<WireError<Type>["error"], WireError<Type>["error"]> => {
  const fields = { type: Schema.Literal(type), message: Schema.String }
  return details === undefined
    ? Schema.Struct({ ...fields, details: Schema.optionalKey<Schema.Codec<unknown>>(NoDetails) })
    : Schema.Struct({
        ...fields,
        details: Schema.optionalKey<Schema.Codec<unknown>>(details.schema),
        details_omitted: Schema.optionalKey(details.omitted === undefined ? Schema.Never : Omitted)
      })
}

/** A function that makes the body of an error. If the error says when to retry, it also notes that on the request. */
const bodyMaker =
  <Type extends string, A extends { readonly message: string }, D>(
    type: Type,
    details: Details<A, D> | undefined
  ) =>
  (error: A, request: RequestState): WireError<Type> => {
    request.retryAfterSeconds = retryAfterOf(error) ?? request.retryAfterSeconds
    const sentDetails = details?.of(error)
    const omitted = details?.omitted?.(error) ?? 0
    return {
      error: {
        type,
        message: error.message,
        ...(sentDetails === undefined ? {} : { details: sentDetails }),
        ...(omitted === 0 ? {} : { details_omitted: omitted })
      },
      meta: { request_id: request.id }
    }
  }

/** The wire form of a domain error: its `type`, its status, and its details if it has any. */
export const wireError = <
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
    /** The fields of the error that the wire does not carry, for clients that decode the error. */
    readonly fields?: object
  }
): Schema.Codec<A, WireError<Type>> => {
  const is = Schema.is(error)
  const decode = Schema.decodeUnknownEffect(error)
  const { details, fields = {}, status, type } = options
  const bodyOf = bodyMaker(type, details)
  const schema = Schema.Struct({
    error: errorSchema(type, details),
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
        encode: (value) => Effect.map(CurrentRequest, (request) => bodyOf(value, request))
      })
    ),
    HttpApiSchema.status(status)
  )
  forms.set(schema, {
    tag: error.identifier,
    is,
    status,
    body: (value, request) => {
      if (!is(value)) throw new TypeError(`The value is not of the type ${error.identifier}`)
      return bodyOf(value, request)
    }
  })
  return schema
}
