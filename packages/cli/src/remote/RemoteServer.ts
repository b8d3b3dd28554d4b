/** A client of a running server, for the commands that work over its API. */
import { livery, LiveryError } from "@livery/client"
import { Effect, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
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

/** Whether a later request may succeed: the server restarts, or its rate limit is reached. */
export const isTemporary = ({ type }: CommandRefused) =>
  type === "unreachable" || type === "rate_limited" || type === "server_error"

const Wrong = Schema.decodeUnknownOption(
  Schema.Array(Schema.Struct({ field: Schema.String, issue: Schema.String }))
)

/** The message of an error, with the wrong fields that it names. */
const reasonOf = ({ details, message }: LiveryError) => {
  const fields = Option.getOrElse(Wrong(details), () => []).map(({ field, issue }) => `${field} ${issue}`)
  return fields.every((field) => message.includes(field)) ? message : `${message}: ${fields.join(", ")}`
}

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

/** The timeout of a request, with the whole response, in milliseconds. */
const timeout = 20_000

/** Why a server whose response is not one of Livery cannot be used. */
const unusableAs = (url: string, base: string, { headers }: LiveryError) => {
  const target = URL.parse(headers?.get("location") ?? "", base)?.href
  if (target === undefined) return `${url} is not a Livery server`
  const [address = "", ...path] = target.split("/api/v1/")
  return path.length === 0
    ? `${url} is not a Livery server: it redirects to ${target}`
    : `${url} redirects to ${address}: use that address`
}

const refusalOf = (url: string, base: string, error: unknown) => {
  if (!(error instanceof LiveryError)) throw error
  switch (error.type) {
    case "unreachable":
      return unusable(`${url} does not answer: check the address, and that livery serve runs there`)
    case "unexpected_response":
      return unusable(unusableAs(url, base, error))
    default:
      return new CommandRefused({ type: printable(error.type), reason: printable(reasonOf(error)) })
  }
}

const unusable = (reason: string) => new CommandRefused({ type: "unreachable", reason })

/** A function that requests a path of the server with a bearer token, and decodes the body of the response. */
export const requestTo = (url: string, token: string | undefined) => {
  const baseUrl = `${url.replace(/\/+$/u, "")}/api/v1`
  const client = livery({ baseUrl, accessToken: token, timeout, retries: 0 })

  return <A>(
    method: Method,
    path: string,
    { headers, payload, schema }: RequestOptions<A>
  ): Effect.Effect<A, CommandRefused> =>
    Effect.tryPromise({
      try: (signal) => client.request(method, path, { body: payload, headers, signal }).withResponse(),
      catch: (error) => refusalOf(url, baseUrl + path, error)
    }).pipe(
      Effect.flatMap((answer) =>
        Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), () =>
          unusable(`The response of ${url} cannot be read: the server has another version of the API`)
        )
      )
    )
}

/** A client that authenticates with an API key of a business. */
export const makeRemoteServer = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly apiKey: Option.Option<Redacted.Redacted>
}) {
  return requestTo(options.url, yield* keyOf(options.apiKey))
})
