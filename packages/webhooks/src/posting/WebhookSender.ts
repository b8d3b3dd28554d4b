/** Sends one POST to one receiver, with limits on time and size that no receiver can exceed. */
import { RetryPolicy } from "@livery/domain"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { checkUrl } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"
import { makeConnections } from "./Connections.ts"
import { Exchange } from "./Exchange.ts"
import type { ExchangeEnd } from "./Exchange.ts"
import { AddressNotAllowed, guardedConnector, NameNotResolved } from "./GuardedConnector.ts"
import type { Resolve } from "./GuardedConnector.ts"
import { memoizeRecent } from "./RecentlyUsed.ts"
import { secondsToWait } from "./RetryAfter.ts"
import { undiciErrors } from "./Undici.ts"

export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8, byte for byte. */
  readonly body: string
  /** Called right before the bytes are sent; if it returns false, nothing is sent. Always true by default. */
  readonly mayStart?: (() => boolean) | undefined
}

/** How a POST ended (docs/api/webhooks.md). */
export interface SendOutcome {
  /** The status of the response, or null when none came. */
  readonly responseStatus: number | null
  /** Whether the status was a 2xx, which acknowledges receipt whatever happens to the body. */
  readonly acknowledged: boolean
  /**
   * Null when acknowledged, else one of `http <status>`, `timeout`, `connection failed`, `tls`,
   * `invalid response`, `address not allowed`, `name not resolved`. No connection is opened to an address that is not
   * allowed, so none of them reveals what listens there.
   */
  readonly error: string | null
  /** The seconds of the receiver's `Retry-After`; 0 if it sent none. */
  readonly retryAfter: number
}

export interface SenderOptions extends GuardOptions {
  /** For resolving the name and connecting, 5 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** For the whole exchange, the body of the response included; 15 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** Bytes of a response's body after which it is cut off, 16 KiB by default. */
  readonly bodyLimit?: number | undefined
  /**
   * How long a new connection rests after its first response before it is used again, so that a close by the receiver is
   * noticed; 10 milliseconds by default.
   */
  readonly rest?: Duration.Input | undefined
  /** How names are resolved; by asking the name servers, by default. */
  readonly resolve?: Resolve | undefined
}

const maxCachedTargets = 1_000

/** The number of open connections from which no more are kept for reuse. */
const maxIdleConnections = 512

const responseHeaderLimit = 16 * 1024
const keepAliveMillis = Duration.toMillis("4 seconds")
const maxKeepAliveMillis = Duration.toMillis("30 seconds")

const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA)/u

const errorOf = (cause: unknown): string => {
  if (cause instanceof AddressNotAllowed) return "address not allowed"
  if (cause instanceof NameNotResolved) return "name not resolved"
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (tlsCodes.test(code)) return "tls"
  if (cause instanceof undiciErrors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW")
    return "invalid response"
  return "connection failed"
}

const withoutResponse = (error: string): SendOutcome => ({
  responseStatus: null,
  acknowledged: false,
  error,
  retryAfter: 0
})

const outcomeOf = ({ failure, retryAfter, status, timedOut }: ExchangeEnd, now: number): SendOutcome => {
  if (status === null) return withoutResponse(timedOut ? "timeout" : errorOf(failure))
  const acknowledged = status >= 200 && status < 300
  return {
    responseStatus: status,
    acknowledged,
    error: acknowledged ? null : `http ${status}`,
    retryAfter: acknowledged ? 0 : secondsToWait(retryAfter, now)
  }
}

/** The outcome of a POST; `"unsent"` if `mayStart` returned false. */
export type PostEnd = SendOutcome | "unsent"

/**
 * Starts a POST. `ended` is called once with the outcome, possibly before this returns. The returned function cancels
 * the POST; `ended` is not called after that.
 */
export type Post = (request: SendRequest, ended: (end: PostEnd) => void) => () => void

/**
 * Posts webhooks. It follows no redirect, uses no proxy and decompresses nothing. Every POST ends within its time
 * limit.
 *
 * `post` takes a callback instead of returning an effect, so that no fiber waits for the response.
 */
export class WebhookSender extends Context.Service<WebhookSender, { readonly post: Post }>()(
  "@livery/webhooks/WebhookSender"
) {
  static readonly layer = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
    Layer.effect(
      WebhookSender,
      Effect.gen(function* () {
        const timeout = Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? "15 seconds"))
        const rest = Duration.toMillis(Duration.fromInputUnsafe(options.rest ?? "10 millis"))
        const bodyLimit = options.bodyLimit ?? 16 * 1024
        const connections = yield* Effect.acquireRelease(
          Effect.sync(() =>
            makeConnections(
              { kept: maxIdleConnections, rest },
              {
                connect: guardedConnector({
                  allowInsecure: options.allowInsecure,
                  connectTimeout: Duration.toMillis(
                    Duration.fromInputUnsafe(
                      options.connectTimeout ?? Duration.seconds(RetryPolicy.connectTimeoutSeconds)
                    )
                  ),
                  resolve: options.resolve
                }),
                allowH2: false,
                pipelining: 1,
                maxHeaderSize: responseHeaderLimit,
                keepAliveTimeout: keepAliveMillis,
                keepAliveMaxTimeout: maxKeepAliveMillis,
                // `Exchange` limits the time of the whole exchange instead.
                headersTimeout: 0,
                bodyTimeout: 0
              }
            )
          ),
          (connections) => Effect.promise(() => connections.destroy())
        )

        const targetOf = memoizeRecent(maxCachedTargets, (text) => {
          const url = checkUrl(text, options)
          return url === undefined ? undefined : { origin: url.origin, path: `${url.pathname}${url.search}` }
        })
        const limits = { timeout, bodyLimit }

        const clock = yield* Clock.Clock
        const post: Post = (request, ended) => {
          const target = targetOf(request.url)
          if (target === undefined) {
            ended(withoutResponse("address not allowed"))
            return () => undefined
          }
          const exchange = new Exchange(limits, {
            request: { path: target.path, method: "POST", headers: request.headers, body: request.body },
            take: () => connections.take(target.origin),
            mayStart: request.mayStart ?? (() => true),
            clock,
            ended: (end) => ended(end.unsent ? "unsent" : outcomeOf(end, clock.currentTimeMillisUnsafe()))
          })
          exchange.start()
          return () => exchange.abandon()
        }

        return WebhookSender.of({ post })
      })
    )
}
