/** One POST to one receiver, bounded in time and size whatever the receiver does. */
import { RetryPolicy } from "@livery/domain"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { errors } from "undici"
import { checkUrl } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"
import { makeConnections } from "./Connections.ts"
import { Exchange } from "./Exchange.ts"
import type { Ending } from "./Exchange.ts"
import { AddressNotAllowed, guardedConnector, NameNotResolved } from "./GuardedConnector.ts"
import type { Resolve } from "./GuardedConnector.ts"
import { remembered } from "./Remembered.ts"
import { secondsToWait } from "./RetryAfter.ts"

export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8, byte for byte. */
  readonly body: string
}

/** How a POST ended (specification, Events, Delivery 5). */
export interface SendOutcome {
  /** The status of the answer, or null when none came. */
  readonly responseStatus: number | null
  /** Whether the answer was a 2xx, which acknowledges whatever becomes of its body. */
  readonly acknowledged: boolean
  /**
   * Null when acknowledged, else one of `http <status>`, `timeout`, `connection failed`, `tls`,
   * `invalid response`, `address not allowed`, `name not resolved`. An address that may not be called is never
   * dialled, so none of them tells what listens there.
   */
  readonly error: string | null
  /** Seconds that the receiver asked to be left alone; 0 if it did not. */
  readonly retryAfter: number
}

export interface SenderOptions extends GuardOptions {
  /** For the name and the connection, 5 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** For all of the exchange, the body of the answer included; 15 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** Bytes of an answer's body that are read before it is cut off, 16 KiB by default. */
  readonly bodyLimit?: number | undefined
  /** Open connections beyond which none is kept for later, 512 by default. */
  readonly keptConnections?: number | undefined
  /** How names are resolved: by asking the name servers, unless told. */
  readonly resolve?: Resolve | undefined
}

const targetsKept = 1_000

const responseHeaderLimit = 16 * 1024
const keptFor = Duration.toMillis("4 seconds")
const keptForAtMost = Duration.toMillis("30 seconds")

const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA)/u

const errorOf = (cause: unknown): string => {
  if (cause instanceof AddressNotAllowed) return "address not allowed"
  if (cause instanceof NameNotResolved) return "name not resolved"
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (tlsCodes.test(code)) return "tls"
  if (cause instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW")
    return "invalid response"
  return "connection failed"
}

const unanswered = (error: string): SendOutcome => ({
  responseStatus: null,
  acknowledged: false,
  error,
  retryAfter: 0
})

const outcomeOf = ({ failure, late, retryAfter, status }: Ending, now: number): SendOutcome => {
  if (status === null) return unanswered(late ? "timeout" : errorOf(failure))
  const acknowledged = status >= 200 && status < 300
  return {
    responseStatus: status,
    acknowledged,
    error: acknowledged ? null : `http ${status}`,
    retryAfter: acknowledged ? 0 : secondsToWait(retryAfter, now)
  }
}

/**
 * Begins a POST, and calls `ended` once with how it ended, perhaps at once; but not any more once what it gives was
 * called, which breaks the POST off.
 */
export type Post = (request: SendRequest, ended: (outcome: SendOutcome) => void) => () => void

/**
 * Posts a webhook. Never follows a redirect, never uses a proxy, never decompresses; always ends within its time.
 * `send` is `post` as an effect, which an interruption breaks off.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly post: Post; readonly send: (request: SendRequest) => Effect.Effect<SendOutcome> }
>()("@livery/webhooks/WebhookSender") {
  /** The sender that posts so. */
  static readonly over = (post: Post) =>
    WebhookSender.of({
      post,
      send: (request) =>
        Effect.callback((resume) => {
          const breakOff = post(request, (outcome) => resume(Effect.succeed(outcome)))
          return Effect.sync(breakOff)
        })
    })

  static readonly layer = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
    Layer.effect(
      WebhookSender,
      Effect.gen(function* () {
        const timeout = Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? "15 seconds"))
        const bodyLimit = options.bodyLimit ?? 16 * 1024
        const keptConnections = options.keptConnections ?? 512
        const connections = yield* Effect.acquireRelease(
          Effect.sync(() =>
            makeConnections(keptConnections, {
              connect: guardedConnector({
                allowInsecure: options.allowInsecure,
                connectTimeout: Duration.toMillis(
                  Duration.fromInputUnsafe(
                    options.connectTimeout ?? Duration.seconds(RetryPolicy.connectsWithinSeconds)
                  )
                ),
                resolve: options.resolve
              }),
              allowH2: false,
              pipelining: 1,
              maxHeaderSize: responseHeaderLimit,
              keepAliveTimeout: keptFor,
              keepAliveMaxTimeout: keptForAtMost,
              // The exchange as a whole has its limit, kept by `Exchange`.
              headersTimeout: 0,
              bodyTimeout: 0
            })
          ),
          (connections) => Effect.promise(() => connections.destroy())
        )

        const targetOf = remembered(targetsKept, (text) => {
          const url = checkUrl(text, options)
          return url === undefined ? undefined : { origin: url.origin, path: `${url.pathname}${url.search}` }
        })
        const limits = { timeout, bodyLimit }

        const clock = yield* Clock.Clock
        const post: Post = (request, ended) => {
          const target = targetOf(request.url)
          if (target === undefined) {
            ended(unanswered("address not allowed"))
            return () => undefined
          }
          const exchange = new Exchange(limits, {
            request: { path: target.path, method: "POST", headers: request.headers, body: request.body },
            take: () => connections.take(target.origin),
            ended: (ending) => ended(outcomeOf(ending, clock.currentTimeMillisUnsafe()))
          })
          exchange.begin()
          return () => exchange.abandon()
        }

        return WebhookSender.over(post)
      })
    )
}
