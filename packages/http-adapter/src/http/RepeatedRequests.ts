/**
 * `Idempotency-Key`: a POST that may be sent again and is carried out once. Each access that serves a business or
 * the public puts this around its routes, so that no route can forget it.
 */
import { Context, Effect, FileSystem, Path, Predicate, Result, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { InvalidInput, type NamedRequest, type RepeatableAnswer, SafeRetries } from "@livery/domain"
import { AsksOthers, Repeatable } from "./Contract.ts"
import { RequestId } from "./Envelope.ts"
import { wireErrors } from "./ErrorMap.ts"
import { contentOfForm, formOf, takesForms } from "./Forms.ts"

const refusals = Object.values(wireErrors).map((schema) => ({
  is: Schema.is(schema),
  encode: Schema.encodeUnknownEffect(schema),
  status: Number(schema.ast.context?.annotations?.["httpApiStatus"])
}))

/** Who is refused for who they are, or for coming too often, may have that mended by the time they come again. */
const passing = new Set([401, 403, 429])

const isRepeatable = (status: number) => status < 500 && !passing.has(status)

/** A security middleware wraps what the routes behind it fail with. */
const unwrapped = (error: unknown) =>
  Predicate.hasProperty(error, "error") && !Predicate.hasProperty(error, "_tag") ? error.error : error

const utf8 = new TextDecoder()

/** The answer that a route's failure becomes; nothing for what is no refusal of the domain, or may be another later. */
const ofFailure = Effect.fnUntraced(function* (error: unknown) {
  const refusal = unwrapped(error)
  const form = refusals.find(({ is }) => is(refusal))
  if (form === undefined || !isRepeatable(form.status)) return undefined
  const body = yield* Effect.orDie(form.encode(refusal))
  return { status: form.status, body: JSON.stringify(body), headers: {} }
})

/** The headers that say something of the body; the others are of the request at hand. */
const telling = new Set(["etag", "location"])

const ofResponse = ({
  body,
  headers,
  status
}: HttpServerResponse.HttpServerResponse): RepeatableAnswer | undefined =>
  isRepeatable(status) && body._tag === "Uint8Array" && body.contentType.includes("json")
    ? {
        status,
        body: utf8.decode(body.body),
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => telling.has(name)))
      }
    : undefined

/** The envelope of the first answer, but for the request's id, which is of the request at hand. */
const again = ({ body, headers, status }: RepeatableAnswer) =>
  Effect.map(RequestId, (request_id) => {
    const told: { readonly meta: object } = JSON.parse(body)
    return HttpServerResponse.jsonUnsafe(
      { ...told, meta: { ...told.meta, request_id } },
      { status, headers: { ...headers, "Idempotency-Replayed": "true" } }
    )
  })

/** The key, if there is one: 1 to 255 printable characters. */
const keyOf = (header: string) =>
  /^[\x20-\x7e]{1,255}$/u.test(header)
    ? Effect.succeed(header)
    : Effect.fail(
        new InvalidInput({
          issues: [{ field: "Idempotency-Key", issue: header.length > 255 ? "too_long" : "invalid" }]
        })
      )

/** What the request asks for: not who asks, nor by which name of the server. */
const contentOf = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  request: HttpServerRequest.HttpServerRequest
) {
  const said = takesForms(endpoint)
    ? yield* Effect.flatMap(formOf(request), contentOfForm)
    : yield* request.text
  return `${request.method} ${request.url}\n${said}`
})

/**
 * Gives what is put around a route: it does what the request asks once for each caller and key, and gives the first
 * answer to who asks again. Without a key, for other methods than POST and for what is not {@link Repeatable}, the
 * route as it is.
 */
export const make = Effect.gen(function* () {
  const retries = yield* SafeRetries
  const disk = Context.pick(
    FileSystem.FileSystem,
    Path.Path
  )(yield* Effect.context<FileSystem.FileSystem | Path.Path>())
  return Effect.fnUntraced(function* <E, R>(
    endpoint: HttpApiEndpoint.Top,
    from: Pick<NamedRequest, "caller" | "door" | "guest">,
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const header = request.headers["idempotency-key"]
    const mayRepeat = endpoint.method === "POST" && Context.get(endpoint.annotations, Repeatable)
    if (header === undefined || !mayRepeat) return yield* app
    const key = yield* keyOf(header)
    const content = yield* Effect.option(Effect.provideContext(contentOf(endpoint, request), disk))
    // A body that cannot be read is refused by the route itself, in its own words.
    if (content._tag === "None") return yield* app
    const work = Effect.gen(function* () {
      const result = yield* Effect.result(app)
      const repeatable = Result.isSuccess(result)
        ? ofResponse(result.success)
        : yield* ofFailure(result.failure)
      return { result, repeatable }
    })
    const asksOthers = Context.get(endpoint.annotations, AsksOthers)
    const outcome = yield* retries.once({ ...from, asksOthers, key, content: content.value }, work)
    return yield* outcome._tag === "Again" ? again(outcome.answer) : Effect.fromResult(outcome.result)
  })
})
