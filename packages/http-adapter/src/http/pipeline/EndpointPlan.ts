/**
 * The data that the fast path prepares for each endpoint of the contract: its handler, its decoders, and its JSON
 * encoder.
 *
 * The handlers are read from the service in which `HttpApiBuilder.group` stores them, which Effect does not document.
 * Therefore the version of `effect` is pinned, `EndpointPlan.test.ts` checks that every endpoint is found, and
 * `FastPath.test.ts` compares every response with that of Effect's own path.
 */
import { type Context, type Effect, Predicate, Schema, SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { type CallerKind, callerKindsOf, isAccess, permissionOf } from "../contract/Access.ts"
import type { Permission } from "@livery/domain"
import { canonicalCheck } from "../responses/CanonicalValue.ts"
import { type EnvelopeForm, envelopeForm } from "../contract/Envelope.ts"
import { RequestDecoding } from "../contract/RequestDecoding.ts"
import type { ApiRoute } from "./Routes.ts"
import { sentFieldsDecoder } from "../decoding/SentFields.ts"

/** The argument of a handler. */
export interface HandlerInput {
  /** Undefined for a list of a business (`SharedLists.ts`). */
  readonly request: HttpServerRequest.HttpServerRequest | undefined
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: unknown
  readonly params?: unknown
  readonly headers?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

/** A handler as `HttpApiBuilder.group` keeps it. */
interface HandlerRuntime {
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: (input: HandlerInput) => Effect.Effect<unknown, unknown>
  readonly isRaw: boolean
  readonly uninterruptible: boolean
}

type Decoder = ReturnType<typeof Schema.decodeUnknownExit<Schema.Codec<unknown, unknown>>>

/**
 * How a success becomes JSON: its status, its envelope, the check whether data already equals its encoded form, and the
 * encoder for data that does not.
 */
interface SuccessPlan {
  readonly status: number
  readonly form: EnvelopeForm<unknown>
  readonly isCanonical: (data: unknown) => boolean
  readonly encode: ReturnType<typeof Schema.encodeUnknownExit<Schema.Codec<unknown, unknown>>>
}

/** An endpoint with everything that the fast path needs to handle it. */
export interface EndpointPlan {
  readonly route: ApiRoute
  readonly handler: HandlerRuntime["handler"]
  readonly uninterruptible: boolean
  /**
   * The kind of caller that the route accepts; undefined for the few routes that anyone may use without being counted.
   */
  readonly callerKind: CallerKind | undefined
  /** The permission that the route requires; undefined for a route that acts for no business. */
  readonly permission: Permission | undefined
  readonly params: Decoder | undefined
  readonly headers: Decoder | undefined
  readonly query: Decoder | undefined
  readonly payload: { readonly decode: Decoder; readonly nullOnEmpty: boolean } | undefined
  readonly success: SuccessPlan
  /** Whether it reads a list of a business, which depends only on the target of the request and on its `ListCaller`. */
  readonly isListOfBusiness: boolean
}

const isHandlers = (value: unknown): value is { readonly handlers: ReadonlyMap<string, HandlerRuntime> } =>
  Predicate.hasProperty(value, "handlers") && value.handlers instanceof Map

const isEnvelopeForm = (value: unknown): value is EnvelopeForm<unknown> =>
  Predicate.hasProperty(value, "schema") && Predicate.hasProperty(value, "data")

type OptionalCodec = Schema.Codec<unknown, unknown> | undefined

const decoder = (schema: OptionalCodec, options: SchemaAST.ParseOptions | undefined): Decoder | undefined =>
  schema && Schema.decodeUnknownExit(schema, options)

const queryOf = (
  { query }: HttpApiEndpoint.Top,
  options: SchemaAST.ParseOptions | undefined
): Decoder | undefined => {
  if (query === undefined) return undefined
  const schema = Schema.toCodecArrayFromSingle(query as Schema.Codec<unknown, unknown>)
  return sentFieldsDecoder(schema, Schema.decodeUnknownExit(schema, options), options)
}

const payloadOf = (
  { payload }: HttpApiEndpoint.Top,
  options: SchemaAST.ParseOptions | undefined
): EndpointPlan["payload"] => {
  const [only] = payload.values()
  if (only === undefined) return undefined
  const schemas = only.schemas as ReadonlyArray<Schema.Codec<unknown, unknown>>
  const decode = Schema.decodeUnknownExit(Schema.Union(schemas), options)
  const [schema, ...others] = schemas
  return {
    decode: schema === undefined || others.length > 0 ? decode : sentFieldsDecoder(schema, decode, options),
    nullOnEmpty: schemas.some(({ ast }) => SchemaAST.isNull(SchemaAST.toEncoded(ast)))
  }
}

const successOf = (
  { endpoint, statuses: [status] }: ApiRoute,
  options: SchemaAST.ParseOptions | undefined
): SuccessPlan | undefined => {
  const [schema, ...others] = endpoint.success
  if (schema === undefined || others.length > 0 || status === undefined) return undefined
  const body = HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
  const form = body.ast.annotations?.[envelopeForm]
  if (!isEnvelopeForm(form)) return undefined
  const codec = Schema.toCodecJson(form.schema)
  return {
    status,
    form,
    isCanonical: canonicalCheck(codec.ast) ?? (() => false),
    encode: Schema.encodeUnknownExit(codec, options)
  }
}

/** Whether the endpoint has no payload, or one JSON body. */
const takesJson = ({ payload }: HttpApiEndpoint.Top) =>
  payload.size === 0 || (payload.size === 1 && payload.get("application/json")?.encoding._tag === "Json")

/**
 * The plan of a route; `undefined` if only Effect's router can handle it: forms, streams, several success schemas, or
 * middleware other than ours.
 */
export const planOf = (route: ApiRoute, context: Context.Context<never>): EndpointPlan | undefined => {
  const { annotations, endpoint, group } = route
  const service: unknown = context.mapUnsafe.get(group.key)
  const runtime = isHandlers(service) ? service.handlers.get(endpoint.identifier) : undefined
  const options = annotations.mapUnsafe.get(HttpApi.ParseOptions.key) as SchemaAST.ParseOptions | undefined
  const success = successOf(route, options)
  const [callerKind, ...otherKinds] = callerKindsOf(endpoint)
  const hasOtherMiddleware = [...endpoint.middlewares].some(
    (middleware) => middleware !== RequestDecoding && !isAccess(middleware)
  )
  if (runtime === undefined || runtime.isRaw || success === undefined) return undefined
  if (!takesJson(endpoint) || otherKinds.length > 0 || hasOtherMiddleware) return undefined
  const queryOptions = annotations.mapUnsafe.get(HttpApi.QueryParseOptions.key) as typeof options
  return {
    route,
    handler: runtime.handler,
    uninterruptible: runtime.uninterruptible,
    callerKind,
    permission: permissionOf(endpoint, annotations),
    params: decoder(endpoint.params as OptionalCodec, options),
    headers: decoder(endpoint.headers as OptionalCodec, options),
    query: queryOf(endpoint, queryOptions ?? options),
    payload: payloadOf(endpoint, options),
    success,
    isListOfBusiness:
      endpoint.method === "GET" &&
      callerKind === "business" &&
      success.form.isList &&
      endpoint.headers === undefined &&
      !runtime.uninterruptible
  }
}
