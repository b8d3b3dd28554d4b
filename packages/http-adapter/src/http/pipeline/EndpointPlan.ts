/** What the pipeline prepares for each endpoint of the contract: its handler, its decoders, and its JSON encoder. */
import { Predicate, Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import type { Permission } from "@livery/domain"
import {
  type CallerKind,
  callerKindsOf,
  permissionOf,
  type EnvelopeForm,
  envelopeForm
} from "@livery/contract"
import { acceptsForms } from "../decoding/Forms.ts"
import { sentFieldsDecoder } from "../decoding/SentFields.ts"
import { canonicalCheck } from "../responses/CanonicalValue.ts"
import type { GroupHandlers, Handler } from "./Handlers.ts"
import type { ApiRoute, Route } from "./Routes.ts"

type Decoder = ReturnType<typeof Schema.decodeUnknownExit<Schema.Codec<unknown, unknown>>>

/**
 * How a success becomes JSON: its status, its envelope, the check whether data already equals its encoded form, and the
 * encoder for data that does not.
 */
export interface SuccessPlan {
  readonly status: number
  readonly form: EnvelopeForm<unknown>
  readonly isCanonical: (data: unknown) => boolean
  readonly encode: ReturnType<typeof Schema.encodeUnknownExit<Schema.Codec<unknown, unknown>>>
}

/** How a JSON body is decoded. */
export interface PayloadPlan {
  readonly decode: Decoder
  /** Whether a request without a body is decoded as `null`. */
  readonly nullOnEmpty: boolean
}

/** The decoders of an endpoint's requests, and the encoder of its successes. */
interface Codecs {
  readonly params: Decoder | undefined
  readonly headers: Decoder | undefined
  readonly query: Decoder | undefined
  /** Undefined if there is no body, or it is a form. */
  readonly payload: PayloadPlan | undefined
  /** Undefined if the handler makes its response itself: files and streams. */
  readonly success: SuccessPlan | undefined
}

/** An endpoint with everything that the pipeline needs to handle its requests. */
export interface EndpointPlan extends Codecs {
  readonly route: ApiRoute
  readonly handle: Handler["handle"]
  /** The kind of caller that the route accepts; undefined for the few routes that anyone may use without being counted. */
  readonly callerKind: CallerKind | undefined
  /** The permission that the route requires; undefined for a route that acts for no business. */
  readonly permission: Permission | undefined
  /** The body of its requests. */
  readonly takes: "nothing" | "json" | "form"
}

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
): PayloadPlan | undefined => {
  const json = payload.get("application/json")
  if (json === undefined) return undefined
  const schemas = json.schemas as ReadonlyArray<Schema.Codec<unknown, unknown>>
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
  const [schema] = endpoint.success
  if (schema === undefined || status === undefined) return undefined
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

const bodyOf = (endpoint: HttpApiEndpoint.Top): EndpointPlan["takes"] => {
  if (endpoint.payload.size === 0) return "nothing"
  return acceptsForms(endpoint) ? "form" : "json"
}

const makeCodecs = (route: ApiRoute): Codecs => {
  const { annotations, endpoint } = route
  const options = annotations.mapUnsafe.get(HttpApi.ParseOptions.key) as SchemaAST.ParseOptions | undefined
  const queryOptions = annotations.mapUnsafe.get(HttpApi.QueryParseOptions.key) as typeof options
  return {
    params: decoder(endpoint.params as OptionalCodec, options),
    headers: decoder(endpoint.headers as OptionalCodec, options),
    query: queryOf(endpoint, queryOptions ?? options),
    payload: payloadOf(endpoint, options),
    success: successOf(route, options)
  }
}

const codecs = new WeakMap<ApiRoute, Codecs>()

/** The codecs of a route, made at its first request: a start makes none. All servers of a process share them. */
const codecsOf = (route: ApiRoute): Codecs => {
  const made = codecs.get(route) ?? makeCodecs(route)
  codecs.set(route, made)
  return made
}

/** The plan of a route. The contract must have nothing that the pipeline cannot do: the server would not start. */
const planOf = (route: ApiRoute, groups: ReadonlyMap<string, GroupHandlers["handlers"]>): EndpointPlan => {
  const { annotations, endpoint, group } = route
  const name = `${group.identifier}.${endpoint.identifier}`
  const handler = groups.get(group.identifier)?.get(endpoint.identifier)
  if (handler === undefined) throw new Error(`${name} has no handler`)
  const [callerKind, ...otherKinds] = callerKindsOf(endpoint)
  if (otherKinds.length > 0 || endpoint.payload.size > 1 || endpoint.success.size > 1)
    throw new Error(`${name} may have one access, one kind of body and one success`)
  return {
    route,
    handle: handler.handle,
    callerKind,
    permission: permissionOf(endpoint, annotations),
    takes: bodyOf(endpoint),
    get params() {
      return codecsOf(route).params
    },
    get headers() {
      return codecsOf(route).headers
    },
    get query() {
      return codecsOf(route).query
    },
    get payload() {
      return handler.isRaw ? undefined : codecsOf(route).payload
    },
    get success() {
      return codecsOf(route).success
    }
  }
}

/** The plans of these routes, with the handlers of their groups. */
export const plansOf = (
  routes: ReadonlyArray<ApiRoute>,
  groups: ReadonlyArray<GroupHandlers>
): ReadonlyMap<Route, EndpointPlan> => {
  const handlers = new Map(groups.map(({ group, handlers }) => [group, handlers]))
  return new Map(routes.map((route) => [route, planOf(route, handlers)]))
}
