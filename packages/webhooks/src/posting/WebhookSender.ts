/** Sends one POST to one receiver, with limits on time and size that no receiver can exceed. */
import { RetryPolicy } from "@livery/domain"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { checkUrl } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"
import { makeConnectionPool } from "./ConnectionPool.ts"
import { Exchange } from "./Exchange.ts"
import { guardedConnector } from "./GuardedConnector.ts"
import type { Resolve } from "./GuardedConnector.ts"
import { memoizeLru } from "./LruMemo.ts"
import { failedWith, outcomeOf, type SendOutcome } from "./SendOutcome.ts"

/** A POST. `url` is checked against the address guard before anything is sent. */
export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8, byte for byte. */
  readonly body: string
  /** Called right before the bytes are sent; if it returns false, nothing is sent. Always true by default. */
  readonly mayStart?: (() => boolean) | undefined
}

/** The limits of each POST on time and size. */
export interface SenderOptions extends GuardOptions {
  /** For resolving the name and connecting, 5 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** For the whole exchange, the body of the response included; 15 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** Bytes of a response's body after which it is cut off, 16 KiB by default. */
  readonly bodyLimit?: number | undefined
  /**
   * How long a new connection stays unused after its first response, so that a close by the receiver is noticed; 10
   * milliseconds by default.
   */
  readonly reuseDelay?: Duration.Input | undefined
  /** How names are resolved; by asking the name servers, by default. */
  readonly resolve?: Resolve | undefined
}

const maxCachedTargets = 1_000

/** While this many connections are open, further ones are closed after use. */
const maxReusedConnections = 512

const responseHeaderLimit = 16 * 1024
const keepAliveMillis = Duration.toMillis("4 seconds")
const maxKeepAliveMillis = Duration.toMillis("30 seconds")

/** The outcome of a POST; `"unsent"` if `mayStart` returned false. */
export type PostEnd = SendOutcome | "unsent"

/**
 * Starts a POST. `ended` is called once with the outcome, possibly before this returns. The returned function cancels
 * the POST; `ended` is not called after that.
 */
export type Post = (request: SendRequest, ended: (end: PostEnd) => void) => () => void

const millisOf = (input: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(input))

const makePool = ({ allowInsecure, connectTimeout, resolve, reuseDelay }: SenderOptions) =>
  makeConnectionPool(
    { maxReused: maxReusedConnections, reuseDelayMillis: millisOf(reuseDelay ?? "10 millis") },
    {
      connect: guardedConnector({
        allowInsecure,
        connectTimeout: millisOf(connectTimeout ?? Duration.seconds(RetryPolicy.connectTimeoutSeconds)),
        resolve
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
        const clock = yield* Clock.Clock
        const pool = yield* Effect.acquireRelease(
          Effect.sync(() => makePool(options)),
          (pool) => Effect.promise(() => pool.destroy())
        )
        const targetOf = memoizeLru(maxCachedTargets, (text) => {
          const url = checkUrl(text, options)
          return url === undefined ? undefined : { origin: url.origin, path: `${url.pathname}${url.search}` }
        })
        const limits = {
          timeout: millisOf(options.timeout ?? "15 seconds"),
          bodyLimit: options.bodyLimit ?? 16 * 1024
        }

        const post: Post = (request, ended) => {
          const target = targetOf(request.url)
          if (target === undefined) {
            ended(failedWith("address not allowed"))
            return () => undefined
          }
          const exchange = new Exchange(limits, {
            request: { path: target.path, method: "POST", headers: request.headers, body: request.body },
            take: () => pool.take(target.origin),
            mayStart: request.mayStart ?? (() => true),
            clock,
            ended: (end) => ended(end.unsent ? "unsent" : outcomeOf(end, clock.currentTimeMillisUnsafe()))
          })
          exchange.start()
          return () => exchange.cancel()
        }

        return WebhookSender.of({ post })
      })
    )
}
