/** A client of a running server, for the commands that work over its API. */
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { printable } from "../terminal/TerminalLine.ts"
import { CommandRefused } from "../usage/Refusal.ts"

/** The methods of requests. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE"

/** The address of the server that LIVERY_URL names, by default that of this machine. */
export const serverAddress = () => process.env["LIVERY_URL"] ?? "http://localhost:3000"

/** The flags for the server's address and the business. */
export const serverFlags = {
  url: Flag.String("url").pipe(
    Flag.withDefault(serverAddress()),
    Flag.withDescription("The address of the server; by default LIVERY_URL, else http://localhost:3000")
  ),
  apiKey: Flag.Redacted("api-key").pipe(
    Flag.optional,
    Flag.withDescription("An API key of the business; by default LIVERY_API_KEY")
  )
}

const ServerError = Schema.Struct({
  type: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
})

/** Whether a later request may succeed: the server restarts, or its rate limit is reached. */
export const isTemporary = ({ type }: CommandRefused) =>
  type === "unreachable" || type === "rate_limited" || type === "server_error"

/** The message of an error, with the wrong fields that it names. */
const reasonOf = ({ details = [], message }: typeof ServerError.Type) => {
  const fields = details.flatMap(({ field, issue }) =>
    typeof field === "string" && typeof issue === "string" ? [`${field} ${issue}`] : []
  )
  return fields.every((field) => message.includes(field)) ? message : `${message}: ${fields.join(", ")}`
}

const ResponseBody = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.optionalKey(Schema.Unknown),
    meta: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(ServerError)
  })
)
const decodeBody = Schema.decodeUnknownEffect(ResponseBody)

/** The API key of {@link serverFlags}. */
export const keyOf = (apiKey: Option.Option<Redacted.Redacted>) => {
  const key = Option.match(apiKey, {
    onNone: () => process.env["LIVERY_API_KEY"] ?? "",
    onSome: Redacted.value
  })
  return key === ""
    ? Effect.fail(new CommandRefused({ type: "unauthenticated", reason: "Set LIVERY_API_KEY to an API key" }))
    : Effect.succeed(key)
}

/** The body of a request, its headers, and the schema of the response's body. */
export interface RequestOptions<A> {
  readonly payload?: unknown
  readonly schema: Schema.Codec<A, unknown>
  /** Further headers than those of the credential and the body. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The timeout of a request, with the whole response. */
const responseTimeout = "20 seconds"

/** Sends requests without following redirects: another server must not get the password or the token of a request. */
const client = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit)({ redirect: "manual" }))
)

/** Why a server whose response redirects cannot be used; undefined if the response does not redirect. */
const redirectOf = (url: string, { headers, request, status }: HttpClientResponse.HttpClientResponse) => {
  const target = URL.parse(headers["location"] ?? "", request.url)?.href
  if (status < 300 || status > 399 || target === undefined) return undefined
  const [address = "", ...path] = target.split("/api/v1/")
  return path.length === 0
    ? `${url} is not a Livery server: it redirects to ${target}`
    : `${url} redirects to ${address}: use that address`
}

/** A function that requests a path of the server with a bearer token, and decodes the body of the response. */
export const requestTo = (url: string, token: string | undefined) => {
  const base = `${url.replace(/\/+$/u, "")}/api/v1`
  const unusable = (reason: string) => new CommandRefused({ type: "unreachable", reason })

  return <A>(
    method: Method,
    path: string,
    { headers = {}, payload, schema }: RequestOptions<A>
  ): Effect.Effect<A, CommandRefused> => {
    const plain = HttpClientRequest.make(method)(`${base}${path}`).pipe(
      HttpClientRequest.acceptJson,
      HttpClientRequest.setHeaders(headers)
    )
    const request = token === undefined ? plain : HttpClientRequest.bearerToken(plain, token)
    return HttpClient.execute(
      payload === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, payload)
    ).pipe(
      Effect.flatMap((response): Effect.Effect<string, HttpClientError.HttpClientError | CommandRefused> => {
        const redirect = redirectOf(url, response)
        return redirect === undefined ? response.text : Effect.fail(unusable(redirect))
      }),
      Effect.timeout(responseTimeout),
      Effect.mapError((error) =>
        error instanceof CommandRefused
          ? error
          : unusable(`${url} does not answer: check the address, and that livery serve runs there`)
      ),
      Effect.flatMap((text) =>
        Effect.mapError(decodeBody(text), () => unusable(`${url} is not a Livery server`))
      ),
      Effect.flatMap((answer) =>
        answer.error === undefined
          ? Effect.mapError(Schema.decodeEffect(schema)(answer), () =>
              unusable(`The response of ${url} cannot be read: the server has another version of the API`)
            )
          : Effect.fail(
              new CommandRefused({
                type: printable(answer.error.type),
                reason: printable(reasonOf(answer.error))
              })
            )
      ),
      Effect.provide(client)
    )
  }
}

/** A client that authenticates with an API key of a business. */
export const makeRemoteServer = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly apiKey: Option.Option<Redacted.Redacted>
}) {
  return requestTo(options.url, yield* keyOf(options.apiKey))
})
