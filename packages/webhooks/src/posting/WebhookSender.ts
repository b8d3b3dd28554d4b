/** Sends one POST to one receiver, with limits on time and size that no receiver can exceed. */
import { importedAfterStart, RetryPolicy } from "@livery/domain"
import { Clock, Context, Duration, Effect, Layer, Scope } from "effect"
import { checkUrl } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"
import { Exchange } from "./Exchange.ts"
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
  /** How names are resolved; by asking the name servers, by default. */
  readonly resolve?: Resolve | undefined
}

const maxCachedTargets = 1_000

/** The outcome of a POST; `"unsent"` if `mayStart` returned false. */
export type PostEnd = SendOutcome | "unsent"

const millisOf = (input: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(input))

/**
 * Posts webhooks. It follows no redirect, uses no proxy and decompresses nothing. Every POST ends within its time
 * limit; an interruption closes its connection.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly post: (request: SendRequest) => Effect.Effect<PostEnd> }
>()("@livery/webhooks/WebhookSender") {
  static readonly layer = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
    Layer.effect(
      WebhookSender,
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const imported = yield* importedAfterStart(() => import("./Connections.ts"))
        const open = Effect.map(imported, ({ makeConnections }) => {
          const { connectTimeout = Duration.seconds(RetryPolicy.connectTimeoutSeconds) } = options
          return makeConnections({ ...options, connectTimeout: millisOf(connectTimeout) })
        })
        const connections = yield* Effect.cached(
          Effect.acquireRelease(open, ({ destroy }) => Effect.promise(destroy)).pipe(
            Scope.provide(yield* Scope.Scope)
          )
        )
        const targetOf = memoizeLru(maxCachedTargets, (text) => {
          const url = checkUrl(text, options)
          return url === undefined ? undefined : { origin: url.origin, path: `${url.pathname}${url.search}` }
        })
        const timeout = millisOf(options.timeout ?? Duration.seconds(RetryPolicy.maxAttemptSeconds))
        const bodyLimit = options.bodyLimit ?? 16 * 1024

        const post = ({ body, headers, mayStart = () => true, url }: SendRequest) => {
          const target = targetOf(url)
          if (target === undefined) return Effect.succeed(failedWith("address not allowed"))
          return Effect.flatMap(connections, (opened) =>
            Effect.callback<PostEnd>((resume) => {
              const exchange = new Exchange({
                timeout,
                bodyLimit,
                connections: opened,
                request: { ...target, method: "POST", headers, body },
                mayStart,
                ended: (end) =>
                  resume(
                    Effect.succeed(end.unsent ? "unsent" : outcomeOf(end, clock.currentTimeMillisUnsafe()))
                  )
              })
              return Effect.sync(() => exchange.cancel())
            })
          )
        }

        return WebhookSender.of({ post })
      })
    )
}
