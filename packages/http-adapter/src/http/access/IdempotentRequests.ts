/**
 * `Idempotency-Key`: a repeatable request with a key is carried out once, and may be sent again. Every route of the contract has
 * this.
 */
import { Context, Effect, FileSystem, Option, Path, Result, Schema, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  type BusinessId,
  Idempotency,
  type IdempotentRequest,
  InvalidInput,
  type NotFound,
  PublicAddresses
} from "@livery/domain"
import {
  CallsOut,
  Repeatable,
  CurrentRequest,
  dryRunParameter,
  firstParameterOf,
  requestId,
  formOfError
} from "@livery/contract"
import { contentOfForm, formOf, acceptsForms } from "../decoding/Forms.ts"
import { headerOf } from "../request/IncomingRequest.ts"
import { asksForCookie } from "../request/SessionHeader.ts"
import { JsonReply, type Reply } from "../responses/Reply.ts"

/** A response as it is stored: its status, its body, and the headers that describe the body. */
const Replay = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Int,
    body: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String)
  })
)
type Replay = typeof Replay.Type

const serialise = Schema.encodeSync(Replay)
const parse = Schema.decodeEffect(Replay)

/** Refusals that are not stored: they depend on the caller or its rate, so the next request may be allowed. */
const transient = new Set([401, 403, 429])

const isStorable = (status: number) => status < 500 && !transient.has(status)

const utf8 = new TextDecoder()

/** The stored form of a route's failure; undefined if it is no domain error or may differ on the next request. */
const replayOfFailure = (error: unknown) =>
  Effect.map(CurrentRequest, (request): Replay | undefined => {
    const form = formOfError(error)
    if (form === undefined || !isStorable(form.status)) return undefined
    return { status: form.status, body: JSON.stringify(form.body(error, request)), headers: {} }
  })

/** The headers that describe the body and are stored. The others belong to the current request. */
const bodyHeaders = new Set(["etag", "location"])

const replayOfReply = (reply: Reply): Replay | undefined => {
  if (!isStorable(reply.status)) return undefined
  if (reply instanceof JsonReply) {
    const { etag, status, text } = reply
    return { status, body: text, headers: etag === undefined ? {} : { etag } }
  }
  const { body, headers, status } = reply
  if (body._tag !== "Uint8Array" || !body.contentType.includes("json")) return undefined
  return {
    status,
    body: utf8.decode(body.body),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => bodyHeaders.has(name)))
  }
}

/** The stored response, with the id of the current request. */
const replayed = (stored: string) =>
  Effect.gen(function* () {
    const { body, headers, status } = yield* Effect.orDie(parse(stored))
    const request_id = yield* requestId
    const envelope: { readonly meta: object } = JSON.parse(body)
    return HttpServerResponse.jsonUnsafe(
      { ...envelope, meta: { ...envelope.meta, request_id } },
      { status, headers: { ...headers, "Idempotency-Replayed": "true" } }
    )
  })

/** The response to a repeated request at the address of a business that was suspended meanwhile. */
const closed = (error: NotFound) =>
  Effect.map(CurrentRequest, (request) => {
    const form = formOfError(error)
    return HttpServerResponse.jsonUnsafe(form?.body(error, request), { status: form?.status ?? 404 })
  })

/** Whether a route applies an `Idempotency-Key`. */
export const isRepeatable = ({ annotations, method }: HttpApiEndpoint.Top): boolean =>
  Context.get(annotations, Repeatable) ?? method === "POST"

/** Whether the query of a request asks for a dry run. */
const isDryRun = ({ url }: HttpServerRequest.HttpServerRequest) =>
  url.includes(dryRunParameter) && new URLSearchParams(url.split("?")[1]).get(dryRunParameter) === "true"

/** The key: 1 to 255 printable characters. */
const keyOf = (header: string) =>
  /^[\x20-\x7e]{1,255}$/u.test(header)
    ? Effect.succeed(header)
    : Effect.fail(
        new InvalidInput({
          issues: [{ field: "Idempotency-Key", issue: header.length > 255 ? "too_long" : "invalid" }]
        })
      )

/**
 * The content of the request that must be equal under the same key. It excludes the caller and the server's name. A body that
 * cannot be read is a defect, as where a route decodes it; of a form, whose route refuses it, a failure.
 */
const contentOf = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  request: HttpServerRequest.HttpServerRequest
) {
  const body = acceptsForms(endpoint)
    ? yield* Effect.flatMap(formOf(request), contentOfForm)
    : yield* Effect.orDie(request.text)
  return `${request.method} ${request.url}\n${body}`
})

/**
 * Makes the step that carries a request out once per caller and key, and replays the first response to the same request. A
 * request without a key, or to a route that is not {@link Repeatable}, is carried out at once.
 */
export const makeIdempotentRequests = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const addresses = yield* PublicAddresses
  const disk = Context.pick(
    FileSystem.FileSystem,
    Path.Path
  )(yield* Effect.context<FileSystem.FileSystem | Path.Path>())
  /** The business whose data the response to a request has: its caller's, or that of the public address. */
  const businessOf = Effect.flatMap(CurrentRequest, (request): Effect.Effect<BusinessId | null> => {
    const { publicAddress } = request.traits
    return request.businessId !== undefined || publicAddress === undefined
      ? Effect.succeed(request.businessId ?? null)
      : addresses.businessOf(publicAddress, firstParameterOf(request))
  })
  /** Refuses visitors of a business that is not active. Other callers were refused when they were admitted. */
  const requireActive = Effect.flatMap(CurrentRequest, (request) => {
    const { publicAddress } = request.traits
    return publicAddress === undefined
      ? Effect.void
      : addresses.requireActive(publicAddress, firstParameterOf(request))
  })
  /** {@link replayOfFailure}, except of a business that is suspended: it may be active at the next request. */
  const replayOfOpenFailure = Effect.fnUntraced(function* (error: unknown) {
    return (yield* Effect.isSuccess(requireActive)) ? yield* replayOfFailure(error) : undefined
  })
  const once = Effect.fnUntraced(function* <E, R>(
    endpoint: HttpApiEndpoint.Top,
    owner: Pick<IdempotentRequest, "caller" | "scope" | "tenant">,
    header: string,
    handled: Effect.Effect<Reply, E, R>
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const key = yield* keyOf(header)
    const content = yield* Effect.option(Effect.provideContext(contentOf(endpoint, request), disk))
    // The route itself refuses a form that cannot be read.
    if (Option.isNone(content)) return yield* handled
    const work = Effect.gen(function* () {
      const result = yield* Effect.result(handled)
      const replay = Result.isSuccess(result)
        ? replayOfReply(result.success)
        : yield* replayOfOpenFailure(result.failure)
      return { result, response: replay === undefined ? undefined : serialise(replay) }
    })
    const callsOut = Context.get(endpoint.annotations, CallsOut)
    const business_id = yield* businessOf
    const stored = { ...owner, business_id, callsOut, key, content: content.value }
    const outcome = yield* idempotency.run(stored, work)
    if (outcome._tag === "Executed") return yield* Effect.fromResult(outcome.result)
    return yield* requireActive.pipe(
      Effect.andThen(replayed(outcome.response)),
      Effect.catchTag("NotFound", closed)
    )
  })

  return (
    endpoint: HttpApiEndpoint.Top,
    request: HttpServerRequest.HttpServerRequest,
    owner: Pick<IdempotentRequest, "caller" | "scope" | "tenant">,
    handle: () => Effect.Effect<Reply, unknown>
  ): Effect.Effect<Reply, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope> => {
    const header = headerOf(request, "idempotency-key")
    // The token in a cookie is never stored, so that a repeated response would lack it. A dry run changes nothing.
    return header === undefined || !isRepeatable(endpoint) || asksForCookie(request) || isDryRun(request)
      ? handle()
      : once(endpoint, owner, header, Effect.suspend(handle))
  }
})
