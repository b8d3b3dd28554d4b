/** A client of a running server, for the commands that work over its API. */
import { Effect, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { CommandRefused } from "./Refusal.ts"

/** The flags for the server's address and the business. */
export const serverFlags = {
  url: Flag.String("url").pipe(
    Flag.withDefault(process.env["LIVERY_URL"] ?? "http://localhost:3000"),
    Flag.withDescription("The address of the server; by default LIVERY_URL, else http://localhost:3000")
  ),
  apiKey: Flag.Redacted("api-key").pipe(
    Flag.optional,
    Flag.withDescription("An API key of the business; by default LIVERY_API_KEY")
  )
}

const Answer = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.optionalKey(Schema.Unknown),
    meta: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Struct({ type: Schema.String, message: Schema.String }))
  })
)
const decodeAnswer = Schema.decodeUnknownEffect(Answer)

const keyOf = (apiKey: Option.Option<Redacted.Redacted>) => {
  const key = Option.match(apiKey, {
    onNone: () => process.env["LIVERY_API_KEY"] ?? "",
    onSome: Redacted.value
  })
  return key === ""
    ? Effect.fail(new CommandRefused({ type: "unauthenticated", reason: "Set LIVERY_API_KEY to an API key" }))
    : Effect.succeed(key)
}

/** Makes the client: a function that requests a path and decodes the body of the response. */
export const makeRemoteServer = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly apiKey: Option.Option<Redacted.Redacted>
}) {
  const key = yield* keyOf(options.apiKey)
  const base = `${options.url.replace(/\/+$/u, "")}/api/v1`

  return <A>(
    method: "GET" | "POST",
    path: string,
    { payload, schema }: { readonly payload?: unknown; readonly schema: Schema.Codec<A, unknown> }
  ): Effect.Effect<A, CommandRefused> => {
    const request = HttpClientRequest.make(method)(`${base}${path}`).pipe(
      HttpClientRequest.bearerToken(key),
      HttpClientRequest.acceptJson
    )
    const unusable = (reason: string) => new CommandRefused({ type: "unreachable", reason })
    return HttpClient.execute(
      payload === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, payload)
    ).pipe(
      Effect.flatMap((response) => response.text),
      Effect.mapError(() => unusable(`${options.url} does not answer`)),
      Effect.flatMap((text) =>
        Effect.mapError(decodeAnswer(text), () => unusable(`${options.url} is not a Livery server`))
      ),
      Effect.flatMap((answer) =>
        answer.error === undefined
          ? Effect.mapError(Schema.decodeEffect(schema)(answer), () =>
              unusable(`${options.url} has another version of the API`)
            )
          : Effect.fail(new CommandRefused({ type: answer.error.type, reason: answer.error.message }))
      ),
      Effect.provide(FetchHttpClient.layer)
    )
  }
})
